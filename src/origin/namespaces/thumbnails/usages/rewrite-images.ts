import { decodeHtml, escapeHtml } from '#contracts/html/index.ts';
import { findSpans, findTags, replaceTags } from '#contracts/scan-text.ts';
import { readBlockMarks, type BlockMark } from '#origin/platform/render/render-blocks.ts';

/** A picture as texts may show it. */
export interface ShownPicture {
  /** Each size by its name, `full` for what is shown of the whole. */
  sizes: ReadonlyMap<string, ShownSize>;
  /** What a size was called whose file has this name, now or before. */
  sizeOf(file: string): string | undefined;
}

export interface ShownSize {
  url: string;
  width: number;
  height: number;
}

/** Wider ones are of no use to a browser that chooses between files. */
const MAX_SOURCE_WIDTH = 2048;

/** What is written where nobody chose anything else. */
const USUAL_SIZES = /^(auto, )?\(max-width: \d+px\) 100vw, \d+px$/;

/**
 * A text in which pictures have the addresses and measures of the files that they have now: elements with the class
 * `wp-image-<id>`, settings of blocks, and the width of captions in the old form. Nothing else of it changes. Takes
 * time by its length.
 */
export function rewriteImages(text: string, pictures: ReadonlyMap<number, ShownPicture>): string {
  const parts: string[] = [];
  const opened: ImageBlock[] = [];
  let end = 0;
  const flush = (upTo: number) => parts.push(rewriteTags(text.slice(end, upTo), pictures, opened.at(-1)));
  for (const mark of readBlockMarks(text)) {
    flush(mark.start);
    end = mark.end;
    const settings = mark.settings === '' ? undefined : readSettings(mark.settings);
    if (mark.name === 'image' && mark.kind === 'open') opened.push(settings ?? {});
    if (mark.name === 'image' && mark.kind === 'close') opened.pop();
    parts.push(rewriteMark(text.slice(mark.start, mark.end), mark, settings, pictures));
  }
  flush(text.length);
  return rewriteCaptions(parts.join(''));
}

/** Settings of the block around an image, as far as they count here. */
type ImageBlock = Readonly<Record<string, unknown>>;

function readSettings(json: string): ImageBlock | undefined {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : undefined;
  } catch {
    return undefined;
  }
}

/** Signs that could end the comment in which settings stand, or be taken for markup. */
const ESCAPED: Readonly<Record<string, string>> = {
  '--': String.raw`\u002d\u002d`,
  '<': String.raw`\u003c`,
  '>': String.raw`\u003e`,
  '&': String.raw`\u0026`,
  [String.raw`\"`]: String.raw`\u0022`,
};

function rewriteMark(
  source: string,
  mark: BlockMark,
  settings: ImageBlock | undefined,
  pictures: ReadonlyMap<number, ShownPicture>,
): string {
  const picture = settings && pictures.get(Number(settings['id'] ?? settings['mediaId']));
  if (!settings || !picture) return source;
  const changed = Object.entries(settings).map(([name, value]) => {
    const size = typeof value === 'string' ? picture.sizes.get(picture.sizeOf(fileName(value)) ?? '') : undefined;
    return [name, size && fileName(size.url) !== fileName(String(value)) ? size.url : value] as const;
  });
  if (changed.every(([name, value]) => settings[name] === value)) return source;
  const json = JSON.stringify(Object.fromEntries(changed)).replaceAll(/--|[<>&]|\\"/g, (sign) => ESCAPED[sign] ?? sign);
  return source.replace(mark.settings, () => json);
}

function rewriteTags(html: string, pictures: ReadonlyMap<number, ShownPicture>, block?: ImageBlock): string {
  return replaceTags(html, /<img\b/i, ({ source }) => {
    const attributes = readAttributes(source);
    const valueOf = (name: string) => attributes.find((one) => one.name === name)?.value;
    const classes = (valueOf('class') ?? '').split(/\s+/);
    const id = suffixOf(classes, 'wp-image-');
    const picture = id === undefined ? undefined : pictures.get(Number(id));
    if (!picture) return source;
    const own = suffixOf(classes, 'size-');
    const chosen = block?.['sizeSlug'];
    const src = valueOf('src') ?? '';
    const label = own ?? (typeof chosen === 'string' ? chosen : picture.sizeOf(fileName(src)));
    if (label === undefined) return source;
    // A size that nobody registers any more stays as long as its file is there.
    const now = picture.sizes.get(picture.sizeOf(fileName(src)) ?? '');
    const size = picture.sizes.get(label) ?? now ?? picture.sizes.get('full');
    if (!size) return source;

    const changes = new Map<string, string>();
    if (fileName(src) !== fileName(size.url)) changes.set('src', size.url);
    const srcset = valueOf('srcset');
    if (srcset !== undefined && (changes.has('src') || !areCurrent(srcset, picture)))
      changes.set('srcset', sourcesOf(picture, size));
    const usual = USUAL_SIZES.exec(valueOf('sizes') ?? '');
    if (usual) changes.set('sizes', `${usual[1] ?? ''}(max-width: ${size.width}px) 100vw, ${size.width}px`);
    // Blocks say themselves where a picture is not shown in the measures of its file.
    const isMeasured = valueOf('width') !== undefined && valueOf('height') !== undefined;
    const isResized = block !== undefined && ('width' in block || 'height' in block);
    if (own !== undefined || (isMeasured && !isResized)) {
      changes.set('width', String(size.width));
      changes.set('height', String(size.height));
    }
    return changeAttributes(source, attributes, changes);
  });
}

function areCurrent(srcset: string, { sizes, sizeOf }: ShownPicture): boolean {
  const addresses = srcset.split(',').map((entry) => entry.trim().split(/\s/)[0] ?? '');
  return addresses.every(
    (address) => fileName(sizes.get(sizeOf(fileName(address)) ?? '')?.url ?? '') === fileName(address),
  );
}

/** The size first, then what shows the same picture in other sizes: not a crop, and not too wide. */
function sourcesOf({ sizes }: ShownPicture, shown: ShownSize): string {
  const others = [...sizes.values()].filter(
    ({ url, width, height }) =>
      url !== shown.url &&
      width <= MAX_SOURCE_WIDTH &&
      Math.abs((height * shown.width) / Math.max(width, 1) - shown.height) <= 1,
  );
  return [shown, ...others].map(({ url, width }) => `${url} ${width}w`).join(', ');
}

/** Captions in the old form are as wide as the picture in them. */
function rewriteCaptions(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const { opening, inner, start } of findSpans(text, /\[caption\b[^[\]]*\]/i, /\[\/caption\]/i)) {
    const [whole] = opening;
    const id = /\bid=["']?attachment_(\d+)/i.exec(whole)?.[1];
    const { value: image } = findTags(inner, /<img\b/i).next();
    const attributes = image ? readAttributes(image.source) : [];
    const valueOf = (name: string) => attributes.find((one) => one.name === name)?.value ?? '';
    const isIts = id !== undefined && suffixOf(valueOf('class').split(/\s+/), 'wp-image-') === id;
    const width = valueOf('width');
    if (!isIts || !/^\d+$/.test(width)) continue;
    parts.push(
      text.slice(end, start),
      whole.replace(/\bwidth=(["']?)\d+/i, (_, quote: string) => `width=${quote}${width}`),
    );
    end = start + whole.length;
  }
  return parts.join('') + text.slice(end);
}

interface Attribute {
  /** In lower case. */
  name: string;
  value: string;
  /** Where it stands in the tag. */
  start: number;
  end: number;
}

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;

function readAttributes(tag: string): Attribute[] {
  const found = tag.slice('<img'.length).matchAll(ATTRIBUTE);
  return [...found].map(({ 0: whole, 1: name = '', 2: double, 3: single, 4: bare, index }) => ({
    name: name.toLowerCase(),
    value: decodeHtml(double ?? single ?? bare ?? ''),
    start: index + '<img'.length,
    end: index + '<img'.length + whole.length,
  }));
}

const written = (name: string, value: string) => `${name}="${escapeHtml(value)}"`;

/** Attributes that are not there yet come first. Those that say what they should stay as they are written. */
function changeAttributes(tag: string, attributes: readonly Attribute[], changes: ReadonlyMap<string, string>): string {
  const present = new Set(attributes.map(({ name }) => name));
  const added = [...changes].filter(([name]) => !present.has(name)).map(([name, value]) => ` ${written(name, value)}`);
  const parts = [tag.slice(0, '<img'.length), ...added];
  let end = '<img'.length;
  for (const { name, value, start, end: next } of attributes) {
    const changed = changes.get(name);
    if (changed === undefined || changed === value) continue;
    parts.push(tag.slice(end, start), written(name, changed));
    end = next;
  }
  return parts.join('') + tag.slice(end);
}

function suffixOf(classes: readonly string[], prefix: string): string | undefined {
  return classes.find((name) => name.startsWith(prefix))?.slice(prefix.length);
}

/** The last part of an address, without query. */
function fileName(address: string): string {
  const path = address.slice(
    0,
    Math.min(...[address.indexOf('?'), address.indexOf('#')].map((at) => (at < 0 ? address.length : at))),
  );
  return path.slice(path.lastIndexOf('/') + 1);
}
