import sanitize from 'sanitize-html';
import {
  ADDRESSES,
  CLOSED,
  ELEMENTS,
  GENERAL_ATTRIBUTES,
  MATH,
  REPLACED,
  escapeHtml,
  VOID,
  htmlText,
} from '#contracts/html/index.ts';
import { withoutUserInfo } from '#contracts/index.ts';
import { BACKGROUND, cleanAttributes, isInvisible, isOfQuotation, type Attributes } from './clean-attributes.ts';
import { describeEmbed } from './describe-embed.ts';
import { finishHtml, separateLinks, type FinishHtmlOptions, type MediaKind } from './finish-html.ts';
import { mediaAddress } from './lazy-media.ts';
import { isPlainHtml } from './plain-html.ts';

const code = (name: string): string => `\`${name}\``;

/** Far deeper than anybody writes. A parser's work at an end tag grows with the depth. */
const MAX_DEPTH = 100;

/** Elements whose content is plain text, whatever it looks like. */
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

/** Element -> open elements that it closes implicitly. */
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

/** An end tag inside one of these closes nothing outside of it, except the table itself. */
const CELLS = new Set(['caption', 'td', 'th']);

const TABLE_PARTS = new Set(['caption', 'colgroup', 'table', 'tbody', 'td', 'tfoot', 'th', 'thead', 'tr']);

const KEPT = Object.entries(ELEMENTS).flatMap(([name, rule]) => (rule.fate === 'kept' ? [{ name, rule }] : []));
/** `noscript` and `picture` are unwrapped by `finishHtml`. */
const TAGS = [...KEPT.map(({ name }) => name), ...MATH, 'noscript', 'picture'];
const ATTRIBUTES = {
  '*': [...GENERAL_ATTRIBUTES, BACKGROUND, 'alt'],
  ...Object.fromEntries(KEPT.map(({ name, rule }) => [name, [...rule.attributes]])),
  mtd: ['columnspan', 'rowspan'],
};
const WITH_TEXT = Object.entries(ELEMENTS).flatMap(([name, { fate }]) => (fate === 'dropped' ? [name] : []));

const WEB = ['http', 'https'];

/**
 * HTML of an upstream as pages may show it: what carries meaning stays, by an allow-list of elements and attributes
 * (`contracts/html`), with http(s), `mailto`, `tel` and relative addresses; no styles, classes, scripts, frames or
 * forms. Ids get a prefix, and so do the links to them; a link to what isn't there is none. A first-level heading
 * becomes a second-level one, since the page has its own; what another site would show in a frame becomes a link to it,
 * marked with the name of that site in `data-embed`, so that a page can show it without asking there. So does an article
 * that is quoted whole, by the link that stands in for its frame. Sanitised twice it is the same as once.
 */
export function sanitiseHtml(html: string, options: SanitiseHtmlOptions = {}): string {
  if (isPlainHtml(html)) return html;
  return sanitiseMarkup(html, options);
}

/** The same the long way round, whatever the HTML. */
export function sanitiseMarkup(html: string, options: SanitiseHtmlOptions = {}): string {
  if (!/[<&]/.test(html)) return html.replaceAll('>', '&gt;');
  const found: Unusable[] = [];
  const { html: finished, lost } = finishHtml(allowHtml(html, options.base, found), options);
  const frames = found.filter(({ kind }) => kind === 'frame').length;
  if (frames > 0) lost.set('frame', frames);
  const counts = [...lost].filter(([, count]) => count > 0);
  if (counts.length > 0)
    options.onLost?.({ counts, example: found.find(({ address }) => address !== '')?.address ?? '' });
  return finished;
}

export interface SanitiseHtmlOptions extends FinishHtmlOptions {
  /** Called if images, videos, audio files or frames are left out, because they have no usable address. */
  onLost?: (lost: LostMedia) => void;
}

export interface LostMedia {
  counts: (readonly [kind: MediaKind, count: number])[];
  /** Start of the unusable address of one of them; empty if it has none. */
  example: string;
}

interface Unusable {
  kind: 'frame' | 'image';
  address: string;
}

/**
 * Only what the allow-list names, and `noscript` and `picture`.
 * @param unusable Gets images and frames without a usable address.
 */
function allowHtml(html: string, base?: string, unusable: Unusable[] = []): string {
  let isInQuotation = false;
  const note = (kind: Unusable['kind'], { src = '' }: Attributes): void =>
    void unusable.push({ kind, address: src.trim().slice(0, 60) });
  const frame = (tagName: string, attribs: Attributes): sanitize.Tag => {
    const isShown = !isOfQuotation(attribs) && !isInvisible(attribs);
    const link = isShown ? facade(attribs, base) : undefined;
    if (isShown && !link) note('frame', attribs);
    return link ?? { tagName, attribs };
  };
  return sanitize(balanceHtml(linkBareEmbeds(html)), {
    allowedTags: TAGS,
    allowedAttributes: ATTRIBUTES,
    allowedSchemes: [...WEB, 'mailto', 'tel'],
    allowedSchemesByTag: { img: WEB, audio: WEB, video: WEB, source: WEB, track: WEB, blockquote: WEB, q: WEB },
    allowedSchemesAppliedToAttributes: [...ADDRESSES, BACKGROUND],
    allowProtocolRelative: false,
    nonTextTags: WITH_TEXT,
    nonBooleanAttributes: [],
    selfClosing: [...CLOSED],
    transformTags: {
      ...REPLACED,
      // An embed, not a quotation: only its link matters.
      blockquote: (tagName, attribs) => {
        isInQuotation = isOfQuotation(attribs);
        return { tagName: isInQuotation ? 'figure' : tagName, attribs };
      },
      a: (tagName, attribs) => {
        const embed = describeEmbed(attribs['href'] ?? '', base)?.provider;
        const isEmbed = embed !== undefined && (isInQuotation || attribs['data-embed'] === embed);
        isInQuotation = false;
        const { 'data-embed': _forged, ...rest } = attribs;
        return { tagName, attribs: isEmbed ? { ...rest, 'data-embed': embed } : rest };
      },
      area: (tagName, attribs) =>
        attribs['href']
          ? { tagName: 'a', attribs, text: attribs['alt']?.trim() || withoutUserInfo(attribs['href']) }
          : { tagName, attribs },
      iframe: frame,
      frame,
      embed: frame,
      img: (tagName, attribs) => {
        const { class: classes = '', alt = '' } = attribs;
        // Letters that the publishing site draws itself.
        if (alt !== '' && /\b(?:emoji|wp-smiley)\b/.test(classes.slice(0, 1000)))
          return { tagName: 'span', attribs: {}, text: alt };
        if (mediaAddress(attribs, base) === undefined) note('image', attribs);
        return { tagName, attribs };
      },
      span: (tagName, attribs) => ({ tagName: styledAs(attribs['style']) ?? tagName, attribs }),
      dialog: (_, attribs) => ({ tagName: 'div', attribs: 'open' in attribs ? attribs : { ...attribs, hidden: '' } }),
      '*': (tagName, attribs) => ({ tagName, attribs: cleanAttributes(tagName, attribs, base) }),
    },
  });
}

/** Replacement of an iframe. */
function facade(attribs: Attributes, base: string | undefined): sanitize.Tag | undefined {
  const src = mediaAddress(attribs, base);
  const embed = src === undefined ? undefined : describeEmbed(src, base);
  if (!embed) return undefined;
  const { href, provider } = embed;
  return { tagName: 'a', attribs: { href, 'data-embed': provider }, text: attribs['title']?.trim() || href };
}

/** Editors use styles for strikethrough, superscript and subscript. */
const STYLES: readonly [property: string, value: string, tag: string][] = [
  ['text-decoration', 'line-through', 's'],
  ['vertical-align', 'super', 'sup'],
  ['vertical-align', 'sub', 'sub'],
  ['font-weight', 'bold', 'b'],
  ['font-weight', '700', 'b'],
  ['font-style', 'italic', 'i'],
  ['text-decoration', 'underline', 'u'],
];

function styledAs(style = ''): string | undefined {
  const declared = style.toLowerCase().split(';');
  const says = (property: string, value: string) =>
    declared.some((one) => one.trimStart().startsWith(property) && one.split(/[\s:]/).includes(value));
  return STYLES.find(([property, value]) => says(property, value))?.[2];
}

/** An embed of which the publishing site knew only the address, as an iframe of that address. */
function linkBareEmbeds(html: string): string {
  return html.replace(
    /(<div class="wp-block-embed__wrapper">)\s*(https?:\/\/[^\s<>"]+)\s*(?=<\/div>)/g,
    '$1<iframe src="$2"></iframe>',
  );
}

/**
 * The same HTML with balanced tags, without comments and declarations, and no deeper than an HTML parser can go: of
 * deeper elements only the content stays. Takes linear time, whatever the input.
 */
function balanceHtml(html: string): string {
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
    // After a tag that never ends, everything counts as its attributes.
    if (end < 0) return written.join('') + open.closeAll();
    at = end;
    // Browsers and themes keep buttons apart.
    if (name === 'button') written.push(' ');
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

/** Open elements. Each is opened and closed once, so each costs the same. */
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

/** Index of the end of a tag: its first `>` outside a quoted value; -1 if it never ends. */
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

/** Checkboxes, as used in task lists. */
function checkbox(tag: string): string {
  if (!/\stype\s*=\s*["']?checkbox\b/i.test(tag)) return '';
  return /\schecked\b/i.test(tag) ? '☑ ' : '☐ ';
}

/** The rows of the README's table: what becomes of each element of HTML. */
export function describeElements(): string[] {
  const rules = Object.entries(ELEMENTS);
  const kept = rules.flatMap(([name, rule]) => {
    if (rule.fate !== 'kept') return [];
    const attributes = rule.attributes.filter((attribute) => !attribute.startsWith('data-'));
    return [attributes.length === 0 ? code(name) : `${code(name)} (${attributes.join(', ')})`];
  });
  const changes = Map.groupBy(
    rules.flatMap(([name, rule]) => (rule.fate === 'changed' ? [{ name, by: rule.by }] : [])),
    ({ by }) => by,
  );
  const dropped = rules.flatMap(([name, { fate }]) => (fate === 'dropped' ? [code(name)] : []));
  return [
    `| kept | ${kept.join(', ')}; on all of them ${GENERAL_ATTRIBUTES.join(', ')}; formulas in MathML |`,
    ...[...changes].map(([by, found]) => `| becomes ${by} | ${found.map(({ name }) => code(name)).join(', ')} |`),
    `| dropped with its content | ${dropped.join(', ')} |`,
  ];
}

/** When a tag is removed, the text before it may join the text after it to form a new tag: `<<b>script>`. */
function withoutOpenBrackets(html: string): string {
  const [first = '', ...parts] = html.split('<');
  let isBeforeTag = false;
  const kept = parts.toReversed().map((part, fromEnd) => {
    if (isBeforeTag && fromEnd > 0 && /^[/!?-]*$/.test(part)) return '';
    isBeforeTag = /^[a-z/!?]/i.test(part);
    return `<${part}`;
  });
  return first + kept.toReversed().join('');
}

/** The text of a piece of HTML on one line: tags left out, blocks and cells separated by a space, entities decoded. */
export function plainText(html: string): string {
  return htmlText(/[<&]/.test(html) ? separateLinks(allowHtml(withoutOpenBrackets(html))) : html);
}
