import sanitize from 'sanitize-html';
import {
  URL_ATTRIBUTES,
  ELEMENTS,
  GENERAL_ATTRIBUTES,
  MATH_TAGS,
  REPLACEMENTS,
  VOID_TAGS,
} from '#contracts/html/elements.ts';
import { PRESERVED_VOID, escapeHtml, htmlText } from '#contracts/html/html-text.ts';
import { countNoun, withoutUserInfo, type StoredWarning } from '#contracts/index.ts';
import {
  BACKGROUND_ATTRIBUTE,
  cleanAttributes,
  isInvisible,
  isQuotationFrame,
  mediaAddress,
  type Attributes,
} from './clean-attributes.ts';
import {
  describeEmbed,
  finishHtml,
  separateLinks,
  type FinishHtmlOptions,
  type MediaKind,
  isPlainHtml,
} from './finish-html.ts';

/** Deeper than any real document. A parser's work at an end tag grows with the depth. */
const MAX_DEPTH = 100;

const RAW = new Set('iframe listing noembed noframes plaintext script style textarea title xmp'.split(' '));

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

const ALLOWED = Object.entries(ELEMENTS).flatMap(([name, rule]) => (rule.fate === 'kept' ? [{ name, rule }] : []));
/** `finishHtml` unwraps `noscript` and `picture`. */
const TAGS = [...ALLOWED.map(({ name }) => name), ...MATH_TAGS, 'noscript', 'picture'];
const ATTRIBUTES = {
  '*': [...GENERAL_ATTRIBUTES, BACKGROUND_ATTRIBUTE, 'alt'],
  ...Object.fromEntries(ALLOWED.map(({ name, rule }) => [name, [...rule.attributes]])),
  mtd: ['columnspan', 'rowspan'],
};
const DROPPED_WITH_CONTENT = Object.entries(ELEMENTS).flatMap(([name, { fate }]) => (fate === 'dropped' ? [name] : []));

const WEB_SCHEMES = ['http', 'https'];

/**
 * Sanitises the HTML of an upstream by an allow-list of elements and attributes (`contracts/html`). Addresses may be
 * http(s), `mailto`, `tel` or relative. Styles, classes, scripts and forms are removed.
 * IDs and links to them get a prefix; links to missing anchors are removed. First-level headings become second-level
 * ones, because pages have their title as a heading. Frames become links that are marked with their host in
 * `data-embed`, so that pages needn't load the other site. An embedded article becomes the link of its quotation.
 * Sanitising is idempotent.
 */
export function sanitiseHtml(html: string, options: SanitiseHtmlOptions = {}): string {
  if (isPlainHtml(html)) return html;
  return sanitiseMarkup(html, options);
}

/** Sanitises HTML without the shortcut for plain HTML. */
export function sanitiseMarkup(html: string, options: SanitiseHtmlOptions = {}): string {
  if (!/[<&]/.test(html)) return html.replaceAll('>', '&gt;');
  const unusable: Unusable[] = [];
  const { html: finished, lost } = finishHtml(allowHtml(html, options.base, unusable), options);
  const frames = unusable.filter(({ kind }) => kind === 'frame').length;
  if (frames > 0) lost.set('frame', frames);
  const counts = [...lost].filter(([, count]) => count > 0);
  if (counts.length > 0)
    options.onLost?.({ counts, example: unusable.find(({ address }) => address !== '')?.address ?? '' });
  return finished;
}

export interface SanitiseHtmlOptions extends FinishHtmlOptions {
  /** Called if images, videos, audio files or frames are removed because they have no usable address. */
  onLost?: (lost: LostMedia) => void;
}

export interface LostMedia {
  counts: (readonly [kind: MediaKind, count: number])[];
  /** Beginning of one of the unusable addresses; empty if there is none. */
  example: string;
}

export function describeLostMedia({ counts, example }: LostMedia): Omit<StoredWarning, 'field'> {
  const list = counts.map(([kind, count]) => countNoun(count, kind)).join(', ');
  return {
    problem: `has ${list} without a usable address, left out`,
    shown: example || 'no address',
    advice: 'Correct the address in the text, or disable the plugin that lazy-loads it.',
  };
}

interface Unusable {
  kind: 'frame' | 'image';
  address: string;
}

/**
 * Applies the allow-list, plus `noscript` and `picture`.
 * @param unusable Receives images and frames without a usable address.
 */
function allowHtml(html: string, base?: string, unusable: Unusable[] = []): string {
  let isInQuotation = false;
  const recordUnusable = (kind: Unusable['kind'], { src = '' }: Attributes): void =>
    void unusable.push({ kind, address: src.trim().slice(0, 60) });
  const frame = (tagName: string, attribs: Attributes): sanitize.Tag => {
    const isVisible = !isQuotationFrame(attribs) && !isInvisible(attribs);
    const link = isVisible ? embedLink(attribs, base) : undefined;
    if (isVisible && !link) recordUnusable('frame', attribs);
    return link ?? { tagName, attribs };
  };
  return sanitize(balanceHtml(linkBareEmbeds(html)), {
    allowedTags: TAGS,
    allowedAttributes: ATTRIBUTES,
    allowedSchemes: [...WEB_SCHEMES, 'mailto', 'tel'],
    allowedSchemesByTag: Object.fromEntries(
      ['img', 'audio', 'video', 'source', 'track', 'blockquote', 'q'].map((name) => [name, WEB_SCHEMES]),
    ),
    allowedSchemesAppliedToAttributes: [...URL_ATTRIBUTES, BACKGROUND_ATTRIBUTE],
    allowProtocolRelative: false,
    nonTextTags: DROPPED_WITH_CONTENT,
    nonBooleanAttributes: [],
    selfClosing: [...PRESERVED_VOID],
    transformTags: {
      ...REPLACEMENTS,
      // An embedded article: only its link matters.
      blockquote: (tagName, attribs) => {
        isInQuotation = isQuotationFrame(attribs);
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
        // The publishing site replaces emoji by images.
        if (alt !== '' && /\b(?:emoji|wp-smiley)\b/.test(classes.slice(0, 1000)))
          return { tagName: 'span', attribs: {}, text: alt };
        if (mediaAddress(attribs, base) === undefined) recordUnusable('image', attribs);
        return { tagName, attribs };
      },
      span: (tagName, attribs) => ({ tagName: styledAs(attribs['style']) ?? tagName, attribs }),
      dialog: (_, attribs) => ({ tagName: 'div', attribs: 'open' in attribs ? attribs : { ...attribs, hidden: '' } }),
      '*': (tagName, attribs) => ({ tagName, attribs: cleanAttributes(tagName, attribs, base) }),
    },
  });
}

function embedLink(attribs: Attributes, base: string | undefined): sanitize.Tag | undefined {
  const src = mediaAddress(attribs, base);
  const embed = src === undefined ? undefined : describeEmbed(src, base);
  if (!embed) return undefined;
  const { href, provider } = embed;
  return { tagName: 'a', attribs: { href, 'data-embed': provider }, text: attribs['title']?.trim() || href };
}

/** Styles that editors use instead of elements. */
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
  const declarations = style.toLowerCase().split(';');
  const declares = (property: string, value: string) =>
    declarations.some((one) => one.trimStart().startsWith(property) && one.split(/[\s:]/).includes(value));
  return STYLES.find(([property, value]) => declares(property, value))?.[2];
}

/** Replaces an embed that consists of a bare address by an iframe. */
function linkBareEmbeds(html: string): string {
  return html.replace(
    /(<div class="wp-block-embed__wrapper">)\s*(https?:\/\/[^\s<>"]+)\s*(?=<\/div>)/g,
    '$1<iframe src="$2"></iframe>',
  );
}

/**
 * Balances tags, removes comments and declarations, and limits the depth. Deeper elements are replaced by their
 * content. Takes linear time.
 */
function balanceHtml(html: string): string {
  const output: string[] = [];
  const open = openElements(output);
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    if (tag < 0) break;
    output.push(html.slice(at, tag));
    const next = html[tag + 1] ?? '';
    if (next === '!' || next === '?') {
      at = endOfMarkup(html, tag);
      continue;
    }
    const name = /^<\/?([a-z][^\s/>]*)/i.exec(html.slice(tag, tag + 40))?.[1]?.toLowerCase();
    if (name === undefined) {
      if (next === '/') at = endOfMarkup(html, tag);
      else {
        output.push('&lt;');
        at = tag + 1;
      }
      continue;
    }
    const end = endOfTag(html, tag + 1 + name.length);
    // Everything after an unterminated tag counts as its attributes.
    if (end < 0) return output.join('') + open.closeAll();
    at = end;
    // Browsers and themes separate buttons visually.
    if (name === 'button') output.push(' ');
    if (next === '/') open.close(name);
    else if (RAW.has(name)) {
      const close = endOfRaw(html, name, end);
      if (name === 'iframe') output.push(html.slice(tag, end), '</iframe>');
      // Keep the text as written.
      if (/^(listing|plaintext|xmp)$/.test(name)) {
        open.begin('pre', '<pre>');
        output.push(escapeHtml(html.slice(end, close.from)));
        open.close('pre');
      }
      at = close.to;
    } else if (name === 'input') output.push(checkbox(html.slice(tag, end)));
    else open.begin(name, html.slice(tag, end));
  }
  output.push(html.slice(at));
  return output.join('') + open.closeAll();
}

function count(counts: Map<string, number> | undefined, name: string, by: number): void {
  counts?.set(name, (counts.get(name) ?? 0) + by);
}

interface OpenElement {
  name: string;
  isWritten: boolean;
}

/** Stack of open elements. Each element is opened and closed once, in constant time. */
function openElements(output: string[]) {
  const stack: OpenElement[] = [];
  // Number of open elements by name: in total, and since the start of the innermost cell.
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
      output.push(`</${name}>`);
    }
    return name;
  };
  return {
    begin: (name: string, tag: string): void => {
      const closable = ENDS.get(name) ?? [];
      while (closable.includes(stack.at(-1)?.name ?? '')) pop();
      if (VOID_TAGS.has(name)) {
        output.push(tag);
        return;
      }
      const isWritten = depth < MAX_DEPTH;
      stack.push({ name, isWritten });
      count(all, name, 1);
      count(scopes.at(-1), name, 1);
      if (CELLS.has(name)) scopes.push(new Map());
      if (!isWritten) return;
      depth += 1;
      output.push(tag);
    },
    close: (name: string): void => {
      const counts = TABLE_PARTS.has(name) ? all : scopes.at(-1);
      if (!counts?.get(name)) return;
      while (pop() !== name);
    },
    closeAll: (): string => {
      const before = output.length;
      while (pop() !== undefined);
      return output.slice(before).join('');
    },
  };
}

function endOfMarkup(html: string, start: number): number {
  if (html.startsWith('<!-->', start)) return start + 5;
  if (html.startsWith('<!--->', start)) return start + 6;
  const isComment = html.startsWith('<!--', start);
  const end = html.indexOf(isComment ? '-->' : '>', start + (isComment ? 4 : 2));
  if (end < 0) return html.length;
  return end + (isComment ? 3 : 1);
}

/** Returns the end of a tag: its first `>` outside of a quoted value; -1 if unterminated. */
function endOfTag(html: string, start: number): number {
  let state: 'name' | 'equals' | 'value' = 'name';
  for (let at = start; at < html.length; at += 1) {
    const character = html[at] ?? '';
    if (character === '>') return at + 1;
    if (state === 'equals' && (character === '"' || character === "'")) {
      at = html.indexOf(character, at + 1);
      if (at < 0) return -1;
      state = 'name';
    } else if (/\s/.test(character)) state = state === 'value' ? 'name' : state;
    else if (state === 'equals') state = 'value';
    else if (state === 'name' && character === '=') state = 'equals';
  }
  return -1;
}

function endOfRaw(html: string, name: string, start: number): { from: number; to: number } {
  const restOfText = { from: html.length, to: html.length };
  if (name === 'plaintext') return restOfText;
  const unusable = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  unusable.lastIndex = start;
  const from = unusable.exec(html)?.index;
  if (from === undefined) return restOfText;
  const end = html.indexOf('>', from);
  return { from, to: end < 0 ? html.length : end + 1 };
}

/** Replaces a checkbox, as used in task lists, by a character. */
function checkbox(tag: string): string {
  if (!/\stype\s*=\s*["']?checkbox\b/i.test(tag)) return '';
  return /\schecked\b/i.test(tag) ? '☑ ' : '☐ ';
}

/** Removes `<` that would form a new tag once the tag after it is removed: `<<b>script>`. */
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

/** Converts HTML to text on one line: removes tags, separates blocks and cells by a space, and decodes entities. */
export function plainText(html: string): string {
  return htmlText(/[<&]/.test(html) ? separateLinks(allowHtml(withoutOpenBrackets(html))) : html);
}
