import { forwardFinder, findTags, replaceTags } from '#contracts/scan-text.ts';

/** Matches an address on its own line. */
const URL_LINE = /^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*\r?$/gim;

/** Matches tags. A line break inside an attribute doesn't start a line of the text. */
const TAG = /<[a-z!/][^<>]*>/gi;

const MARK = /<p>\uFDD2(\d+)\uFDD3<\/p>|\uFDD2(\d+)\uFDD3/g;

/** Limits the output, as a repeated address is replaced by much longer HTML. */
const MAX_EMBEDS = 50;

const LINE_BREAK_MARK = '\uFDD4';

const joinTags = (text: string): string => text.replaceAll(TAG, (tag) => tag.replaceAll('\n', LINE_BREAK_MARK));

const splitTags = (text: string): string => text.replaceAll(LINE_BREAK_MARK, '\n');

/** Matches a block comment up to its end or its settings. */
const HEAD = /<!--\s+(\/)?wp:([a-z][\w/-]*)\s+(?:(\/)?-->|\{)/g;

const END_OF_SETTINGS = /\}\s+(\/)?-->/;

/** Default layouts of blocks that lay out their content. */
const LAYOUTS: Readonly<Record<string, string>> = { quote: 'flow', group: 'flow', column: 'flow', columns: 'flex' };

/**
 * Removes block comments and preserves line breaks between blocks. Adds the classes that themes use to style some
 * blocks.
 */
export function renderBlocks(stored: string): string {
  let result = '';
  let end = 0;
  let pending: string[] = [];
  const flush = (upTo: number) => {
    const chunk = stored.slice(end, upTo);
    result += pending.length > 0 ? addClass(chunk, pending) : chunk;
    if (/<[a-z]/i.test(chunk)) pending = [];
  };
  for (const { kind, name, settings, ...mark } of readBlockMarks(stored)) {
    flush(mark.start);
    end = mark.end;
    pending = kind === 'open' ? layoutClasses(name, settings) : [];
  }
  flush(stored.length);
  return result;
}

function layoutClasses(name: string, settings: string): string[] {
  if (name === 'paragraph') return ['wp-block-paragraph'];
  const defaultLayout = LAYOUTS[name];
  if (defaultLayout === undefined) return [];
  const [, settingsText = ''] = /"layout":\{([^}]*)/.exec(settings) ?? [];
  const layout = /"type":"(\w+)"/.exec(settingsText)?.[1] ?? defaultLayout;
  const layoutName = layout === 'default' ? 'flow' : layout;
  return [`is-layout-${layoutName}`, `wp-block-${name}-is-layout-${layoutName}`];
}

/** A block comment: opening, closing, or both. */
export interface BlockMark {
  kind: 'open' | 'close' | 'empty';
  /** Name without `core/`. */
  name: string;
  /** Settings as unparsed JSON. */
  settings: string;
  /** Position of the comment. */
  start: number;
  end: number;
}

/** Finds the block comments of stored content. */
export function* readBlockMarks(stored: string): Generator<BlockMark> {
  const settingsEnd = forwardFinder(stored, END_OF_SETTINGS);
  const heads = new RegExp(HEAD);
  for (let head = heads.exec(stored); head; head = heads.exec(stored)) {
    const [whole, closes, name = '', isEmpty] = head;
    const settingsStart = heads.lastIndex - 1;
    const closing = whole.endsWith('{') ? settingsEnd(settingsStart + 1) : undefined;
    if (whole.endsWith('{') && !closing) continue;
    const end = closing ? closing.index + closing[0].length : heads.lastIndex;
    heads.lastIndex = end;
    yield {
      kind: closes ? 'close' : isEmpty || closing?.[1] ? 'empty' : 'open',
      name: name.replace(/^core\//, ''),
      settings: closing ? stored.slice(settingsStart, closing.index + 1) : '',
      start: head.index,
      end,
    };
  }
}

/** True if a text consists of blocks, marked by `wp:` comments. */
export function hasBlocks(stored: string): boolean {
  return stored.includes('<!-- wp:');
}

/** Finds the addresses on their own line, without duplicates. */
export function findEmbedUrls(stored: string): string[] {
  if (stored.search(URL_LINE) < 0) return [];
  return [...new Set([...joinTags(stored).matchAll(URL_LINE)].map(([, address = '']) => address))];
}

/**
 * Renders text with embeds.
 *
 * Embeddable addresses are replaced by placeholders first and by their HTML last, so that the embedded HTML isn't
 * rendered again.
 *
 * @param embeds HTML by address
 */
export function renderWithEmbeds(
  stored: string,
  embeds: ReadonlyMap<string, string>,
  render: (text: string) => string,
): string {
  if (embeds.size === 0) return render(stored);
  const inserted: string[] = [];
  const marked = joinTags(stored.replaceAll(/[\uFDD2\uFDD3]/g, '')).replaceAll(URL_LINE, (line, address: string) => {
    const html = embeds.get(address);
    return html === undefined || inserted.length === MAX_EMBEDS ? line : `\n\uFDD2${inserted.push(html) - 1}\uFDD3\n`;
  });
  return render(splitTags(marked)).replaceAll(
    MARK,
    (_, paragraph?: string, inline?: string) => inserted[Number(paragraph ?? inline)] ?? '',
  );
}

/** Adds classes to the first element, after its existing ones. */
function addClass(html: string, classes: readonly string[]): string {
  const { value: first } = findTags(html, /<[a-z]/i).next();
  return first ? html.slice(0, first.start) + withClasses(first.source, classes) + html.slice(first.end) : html;
}

function withClasses(tag: string, classes: readonly string[]): string {
  const present = /\sclass="([^"]*)"/i.exec(tag);
  if (!present) return tag.replace(/^<[\w-]+/, (start) => `${start} class="${classes.join(' ')}"`);
  const names = (present[1] ?? '').split(/\s+/).filter((name) => name !== '');
  const merged = [...names, ...classes.filter((name) => !names.includes(name))];
  return tag.replace(present[0], () => ` class="${merged.join(' ')}"`);
}

/** Adds `decoding="async"` to images, and `loading="lazy"` to those with known dimensions. */
export function addLoadingAttributes(html: string): string {
  return replaceTags(html, /<img\b/i, ({ source }) => {
    const attributes = source.slice('<img'.length, -1);
    const has = (name: string) => new RegExp(`\\s${name}\\s*=`, 'i').test(attributes);
    const loading = has('width') && has('height') && !has('loading') ? ' loading="lazy"' : '';
    const decoding = has('decoding') ? '' : ' decoding="async"';
    return source.replace(/^<img/i, (start) => `${start}${loading}${decoding}`);
  });
}
