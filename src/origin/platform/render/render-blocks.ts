import { forwardFinder, findTags, replaceTags } from '#contracts/scan-text.ts';

/** An address that has a line of its own. */
const ALONE = /^[ \t]*(https?:\/\/[^\s<>"]+)[ \t]*\r?$/gim;

/** What stands alone on a line of one of its attributes is no line of the text. */
const TAG = /<[a-z!/][^<>]*>/gi;

const MARK = /<p>\uFDD2(\d+)\uFDD3<\/p>|\uFDD2(\d+)\uFDD3/g;

/** The same address may have many lines, and stands for much more than its letters. */
const MAX_PLACED = 50;

const JOINT = '\uFDD4';

const joinTags = (text: string): string => text.replaceAll(TAG, (tag) => tag.replaceAll('\n', JOINT));

const splitTags = (text: string): string => text.replaceAll(JOINT, '\n');

/** A mark up to its end, or to where its settings begin. */
const HEAD = /<!--\s+(\/)?wp:([a-z][\w/-]*)\s+(?:(\/)?-->|\{)/g;

const END_OF_SETTINGS = /\}\s+(\/)?-->/;

/** Blocks whose element lays out what is in it, with the layout they have unless they say otherwise. */
const LAYOUTS: Readonly<Record<string, string>> = { quote: 'flow', group: 'flow', column: 'flow', columns: 'flex' };

/**
 * Takes the marks of blocks away and leaves the line breaks between them. The elements of some blocks get the
 * classes that themes style them by. Blocks without markup of their own leave nothing.
 */
export function renderBlocks(stored: string): string {
  let result = '';
  let end = 0;
  let pending: string[] = [];
  const flush = (upTo: number) => {
    const part = stored.slice(end, upTo);
    result += pending.length > 0 ? addClass(part, pending) : part;
    if (/<[a-z]/i.test(part)) pending = [];
  };
  for (const { kind, name, settings, ...mark } of readBlockMarks(stored)) {
    flush(mark.start);
    end = mark.end;
    pending = kind === 'open' ? classesOf(name, settings) : [];
  }
  flush(stored.length);
  return result;
}

function classesOf(name: string, settings: string): string[] {
  if (name === 'paragraph') return ['wp-block-paragraph'];
  const usual = LAYOUTS[name];
  if (usual === undefined) return [];
  const [, stated = ''] = /"layout":\{([^}]*)/.exec(settings) ?? [];
  const layout = /"type":"(\w+)"/.exec(stated)?.[1] ?? usual;
  const known = layout === 'default' ? 'flow' : layout;
  return [`is-layout-${known}`, `wp-block-${name}-is-layout-${known}`];
}

/** A mark of a block: where it opens, where it closes, or both at once. */
export interface BlockMark {
  kind: 'open' | 'close' | 'empty';
  /** Without `core/`. */
  name: string;
  /** Settings as JSON, as they stand in the mark. */
  settings: string;
  /** Where the mark begins and ends. */
  start: number;
  end: number;
}

/** The marks of blocks in stored content, in their order. */
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

/** Whether a text is made of blocks: they are marked by comments that begin with `wp:`. */
export function hasBlocks(stored: string): boolean {
  return stored.includes('<!-- wp:');
}

/** Addresses with a line of their own, each once. */
export function addressesAlone(stored: string): string[] {
  return [...new Set([...joinTags(stored).matchAll(ALONE)].map(([, address = '']) => address))];
}

/**
 * Renders text in which some addresses stand for what they lead to: these are set apart before, and what stands for
 * them is put in afterwards, so that nothing of it is rendered again.
 *
 * @param embeds HTML by address
 */
export function placeEmbeds(
  stored: string,
  embeds: ReadonlyMap<string, string>,
  render: (text: string) => string,
): string {
  if (embeds.size === 0) return render(stored);
  const placed: string[] = [];
  const marked = joinTags(stored.replaceAll(/[\uFDD2\uFDD3]/g, '')).replaceAll(ALONE, (line, address: string) => {
    const html = embeds.get(address);
    return html === undefined || placed.length === MAX_PLACED ? line : `\n\uFDD2${placed.push(html) - 1}\uFDD3\n`;
  });
  return render(splitTags(marked)).replaceAll(
    MARK,
    (_, own?: string, inner?: string) => placed[Number(own ?? inner)] ?? '',
  );
}

/** Adds classes to the first element of some HTML, behind those it has. */
export function addClass(html: string, classes: readonly string[]): string {
  const { value: first } = findTags(html, /<[a-z]/i).next();
  return first ? html.slice(0, first.start) + classed(first.source, classes) + html.slice(first.end) : html;
}

function classed(tag: string, classes: readonly string[]): string {
  const present = /\sclass="([^"]*)"/i.exec(tag);
  if (!present) return tag.replace(/^<[\w-]+/, (start) => `${start} class="${classes.join(' ')}"`);
  const names = (present[1] ?? '').split(/\s+/).filter((name) => name !== '');
  const merged = [...names, ...classes.filter((name) => !names.includes(name))];
  return tag.replace(present[0], () => ` class="${merged.join(' ')}"`);
}

/** Lets browsers decode images aside, and load late those whose place on the page is known. */
export function dressImages(html: string): string {
  return replaceTags(html, /<img\b/i, ({ source }) => {
    const attributes = source.slice('<img'.length, -1);
    const has = (name: string) => new RegExp(`\\s${name}\\s*=`, 'i').test(attributes);
    const loading = has('width') && has('height') && !has('loading') ? ' loading="lazy"' : '';
    const decoding = has('decoding') ? '' : ' decoding="async"';
    return source.replace(/^<img/i, (start) => `${start}${loading}${decoding}`);
  });
}
