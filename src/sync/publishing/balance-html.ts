import { escapeHtml, VOID } from '#contracts/html/index.ts';

/** Far deeper than anybody writes. What a parser does at an end tag grows with the depth. */
const MAX_DEPTH = 100;

/** Elements whose content is text, whatever it looks like. */
const RAW = new Set([
  'iframe',
  'listing',
  'noembed',
  'noframes',
  'plaintext',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
]);

const BLOCKS =
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 ' +
  'h4 h5 h6 header hgroup hr main menu nav ol p pre search section summary table ul';

/** Element -> those that end where it begins, though nobody wrote their end tags. */
const ENDS: ReadonlyMap<string, readonly string[]> = new Map([
  ...BLOCKS.split(' ').map((name): [string, string[]] => [name, ['p']]),
  ['li', ['p', 'li']],
  ['dt', ['p', 'dt', 'dd']],
  ['dd', ['p', 'dt', 'dd']],
  ['rt', ['rt', 'rp']],
  ['rp', ['rt', 'rp']],
  ['tr', ['p', 'td', 'th', 'tr']],
  ['td', ['p', 'td', 'th']],
  ['th', ['p', 'td', 'th']],
  ['tbody', ['p', 'td', 'th', 'tr', 'thead', 'tbody', 'tfoot', 'caption', 'colgroup']],
  ['thead', ['p', 'td', 'th', 'tr', 'thead', 'tbody', 'tfoot', 'caption', 'colgroup']],
  ['tfoot', ['p', 'td', 'th', 'tr', 'thead', 'tbody', 'tfoot', 'caption', 'colgroup']],
  ['option', ['option']],
  ['optgroup', ['option', 'optgroup']],
]);

/** An end tag inside of one of these ends nothing that began outside of it, unless it is of the table itself. */
const CELLS = new Set(['caption', 'td', 'th']);
const TABLE_PARTS = new Set(['caption', 'colgroup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr']);

/**
 * The same HTML with every end tag that it lacks and none too many, without comments and declarations, and no deeper
 * than a reader of HTML can go: of deeper elements only the content stays. Takes time by its length, whatever it holds.
 */
export function balanceHtml(html: string): string {
  const written: string[] = [];
  const open = openElements(written);
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    if (tag < 0) break;
    written.push(html.slice(at, tag));
    const next = html[tag + 1] ?? '';
    if (next === '!' || next === '?') {
      at = endOfMarkup(html, tag);
      continue;
    }
    const name = /^<\/?([a-z][^\s/>]*)/i.exec(html.slice(tag, tag + 40))?.[1]?.toLowerCase();
    if (name === undefined) {
      if (next === '/') at = endOfMarkup(html, tag);
      else {
        written.push('&lt;');
        at = tag + 1;
      }
      continue;
    }
    const end = endOfTag(html, tag + 1 + name.length);
    // Nothing after a tag that never ends is told from its attributes.
    if (end < 0) return written.join('') + open.closeAll();
    at = end;
    if (next === '/') open.close(name);
    else if (RAW.has(name)) {
      const close = endOfRaw(html, name, end);
      if (name === 'iframe') written.push(html.slice(tag, end), '</iframe>');
      // Text as it was written, for people to read.
      if (/^(listing|plaintext|xmp)$/.test(name)) {
        open.begin('pre', '<pre>');
        written.push(escapeHtml(html.slice(end, close.from)));
        open.close('pre');
      }
      at = close.to;
    } else if (name === 'input') written.push(checkbox(html.slice(tag, end)));
    else open.begin(name, html.slice(tag, end));
  }
  written.push(html.slice(at));
  return written.join('') + open.closeAll();
}

function count(counts: Map<string, number> | undefined, name: string, by: number): void {
  counts?.set(name, (counts.get(name) ?? 0) + by);
}

interface OpenElement {
  name: string;
  isWritten: boolean;
}

/** What has begun and not ended. Every element begins once and ends once, so each costs the same. */
function openElements(written: string[]) {
  const stack: OpenElement[] = [];
  // How many of each name are open: in all, and since the innermost cell began.
  const all = new Map<string, number>();
  const scopes: Map<string, number>[] = [new Map()];
  let depth = 0;
  const pop = (): string | undefined => {
    const element = stack.pop();
    if (!element) return undefined;
    const { name, isWritten } = element;
    if (CELLS.has(name)) scopes.pop();
    count(all, name, -1);
    count(scopes.at(-1), name, -1);
    if (isWritten) {
      depth -= 1;
      written.push(`</${name}>`);
    }
    return name;
  };
  return {
    begin: (name: string, tag: string): void => {
      const ended = ENDS.get(name) ?? [];
      while (ended.includes(stack.at(-1)?.name ?? '')) pop();
      if (VOID.has(name)) {
        written.push(tag);
        return;
      }
      const isWritten = depth < MAX_DEPTH;
      stack.push({ name, isWritten });
      count(all, name, 1);
      count(scopes.at(-1), name, 1);
      if (CELLS.has(name)) scopes.push(new Map());
      if (!isWritten) return;
      depth += 1;
      written.push(tag);
    },
    close: (name: string): void => {
      const counts = TABLE_PARTS.has(name) ? all : scopes.at(-1);
      if (!counts?.get(name)) return;
      while (pop() !== name);
    },
    closeAll: (): string => {
      const before = written.length;
      while (pop() !== undefined);
      return written.slice(before).join('');
    },
  };
}

/** Where a comment, a declaration or an instruction ends. */
function endOfMarkup(html: string, start: number): number {
  if (html.startsWith('<!-->', start)) return start + 5;
  if (html.startsWith('<!--->', start)) return start + 6;
  const isComment = html.startsWith('<!--', start);
  const end = html.indexOf(isComment ? '-->' : '>', start + (isComment ? 4 : 2));
  if (end < 0) return html.length;
  return end + (isComment ? 3 : 1);
}

/** Where a tag ends, by its first `>` outside of a quoted value; -1 when it never does. */
function endOfTag(html: string, start: number): number {
  let place: 'name' | 'equals' | 'value' = 'name';
  for (let at = start; at < html.length; at += 1) {
    const character = html[at] ?? '';
    if (character === '>') return at + 1;
    if (place === 'equals' && (character === '"' || character === "'")) {
      at = html.indexOf(character, at + 1);
      if (at < 0) return -1;
      place = 'name';
    } else if (/\s/.test(character)) place = place === 'value' ? 'name' : place;
    else if (place === 'equals') place = 'value';
    else if (place === 'name' && character === '=') place = 'equals';
  }
  return -1;
}

/** The end tag of an element whose content is text. */
function endOfRaw(html: string, name: string, start: number): { from: number; to: number } {
  const whole = { from: html.length, to: html.length };
  if (name === 'plaintext') return whole;
  const found = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  found.lastIndex = start;
  const from = found.exec(html)?.index;
  if (from === undefined) return whole;
  const end = html.indexOf('>', from);
  return { from, to: end < 0 ? html.length : end + 1 };
}

/** Lists of what is done and what isn't are written with these. */
function checkbox(tag: string): string {
  if (!/\stype\s*=\s*["']?checkbox\b/i.test(tag)) return '';
  return /\schecked\b/i.test(tag) ? '☑ ' : '☐ ';
}
