import { toSingleLine } from '../scan-text.ts';
import namedEntities from './named-entities.json' with { type: 'json' };
import elements from './elements.json' with { type: 'json' };

/** Treatment of an element in HTML of an upstream. */
type ElementRule =
  /** Preserved, with these attributes and the general ones. */
  | { fate: 'kept'; attributes: readonly string[] }
  /** Replaced by another element or by its content; `by` describes the replacement in the documentation. */
  | { fate: 'changed'; by: string }
  /** Removed with its content. */
  | { fate: 'dropped' };

/** Attributes with a space-separated list of ids in the same text. */
export const ID_LISTS = ['aria-describedby', 'aria-details', 'aria-labelledby', 'headers'] as const;

/** Attributes allowed on every preserved element. */
export const GENERAL_ATTRIBUTES = [
  ...(['id', 'lang', 'dir', 'title', 'hidden', 'translate'] as const),
  ...(['aria-describedby', 'aria-details', 'aria-labelledby'] as const),
];

export const URL_ATTRIBUTES = ['href', 'src', 'cite', 'poster'] as const;

const split = (words: string): string[] => words.split(' ').filter((word) => word !== '');

/** Elements of MathML Core, without those that contain HTML or URLs. */
export const MATH_TAGS = split(elements.math);

/** Element -> its replacement. */
export const REPLACEMENTS: Readonly<Record<string, string>> = elements.replacements;

const rules = (names: readonly string[], rule: (name: string) => ElementRule): [string, ElementRule][] =>
  names.map((name) => [name, rule(name)]);
const attributesOf: Readonly<Record<string, string>> = elements.kept;
const described: Readonly<Record<string, string>> = elements.described;

/**
 * All elements of the HTML standard, including obsolete ones. Dropped elements have no readable content, or can't be
 * shown safely. Unknown elements are replaced by their content.
 */
export const ELEMENTS: Readonly<Record<string, ElementRule>> = Object.fromEntries([
  ...rules(Object.keys(attributesOf), (name) => ({ fate: 'kept', attributes: split(attributesOf[name] ?? '') })),
  ...rules(Object.keys(REPLACEMENTS), (name) => ({ fate: 'changed', by: `\`${REPLACEMENTS[name]}\`` })),
  ...rules(Object.keys(described), (name) => ({ fate: 'changed', by: described[name] ?? '' })),
  ...rules(split(elements.unwrapped), () => ({ fate: 'changed', by: 'its content' })),
  ...rules(split(elements.dropped), () => ({ fate: 'dropped' })),
]);

export const VOID_TAGS: ReadonlySet<string> = new Set(split(elements.void));

/** Inline elements: a word may continue after their end. */
export const INLINE_TAGS: ReadonlySet<string> = new Set(split(elements.inline));

const REFERENCE = /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi;

/** Named entities common in German, English and French texts. */
const NAMED: ReadonlyMap<string, string> = new Map(Object.entries(namedEntities));

/**
 * Decodes character references in any HTML, such as `&auml;`, `&#228;` and `&#xe4;`; unknown ones stay unchanged. For
 * sanitised HTML, which has only four entities, use `decodeHtml`.
 */
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCE, (source, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name) ?? source;
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? source : String.fromCodePoint(code);
  });
}

const PIECES = /<(\/?)([a-z][a-z0-9]*)((?![a-z0-9])[^<>]*)>|[^<]+|</g;

const ATTRIBUTES = /([^\s=/"]+)(?:="([^"]*)")?/g;

/** Preserved elements without content. */
export const PRESERVED_VOID: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'source', 'track', 'wbr']);

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Prefix of ids in upstream HTML, so that they don't collide with ids of the page. */
export const ID_PREFIX = 'user-content-';

/** Characters that would need escaping somewhere; ids contain none of them. */
const OTHER = /[^\p{L}\p{M}\p{N}_.:-]+/gu;

/**
 * Converts sanitised HTML to text on one line. Blocks, cells and line breaks become spaces, so that adjacent words stay
 * separate; `m<sup>2</sup>` stays one word.
 */
export function htmlText(html: string): string {
  if (!html.includes('<')) return toSingleLine(decodeHtml(html));
  const parts: string[] = [];
  for (const piece of tokenizeHtml(html)) {
    if (piece.kind === 'text') parts.push(piece.source);
    else if (!INLINE_TAGS.has(piece.name)) parts.push(' ');
  }
  return toSingleLine(decodeHtml(parts.join('')));
}

/** Returns the prefixed id of an element in a page. */
export function prefixedId(id: string, prefix: string = ID_PREFIX): string {
  const safe = id.replace(OTHER, '-');
  return safe.startsWith(prefix) ? safe : prefix + safe;
}

/** Lists the ids in sanitised HTML, in order. */
export function htmlIds(html: string): Set<string> {
  const ids = new Set<string>();
  if (!html.includes(' id="')) return ids;
  for (const piece of tokenizeHtml(html)) {
    const id = piece.kind === 'open' ? piece.attributes.get('id') : undefined;
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

/** A token of sanitised HTML: a tag, or the text up to the next one. */
export type HtmlToken =
  | { kind: 'text'; source: string }
  | { kind: 'open'; source: string; name: string; attributes: Map<string, string> }
  | { kind: 'close'; source: string; name: string };

/**
 * Tokenizes sanitised HTML: lower-case tags, double-quoted values, and `&`, `<`, `>` and `"` escaped everywhere else.
 * Attribute values are decoded. Runs in linear time.
 */
export function* tokenizeHtml(html: string): Generator<HtmlToken> {
  for (const [source, slash, name, rest = ''] of html.matchAll(PIECES)) {
    if (name === undefined) yield { kind: 'text', source };
    else if (slash) yield { kind: 'close', source, name };
    else yield { kind: 'open', source, name, attributes: readAttributes(rest) };
  }
}

function readAttributes(text: string): Map<string, string> {
  // Most tags have none.
  if (text === '') return new Map();
  return new Map([...text.matchAll(ATTRIBUTES)].map(([, name = '', value = '']) => [name, decodeHtml(value)]));
}

const ANY_ATTRIBUTES = /([^\s=/"'<>]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g;

/** Parses the attributes of a tag of any HTML, by their lower-case names. The first of equal names wins. */
export function parseAttributes(tag: string): Partial<Record<string, string>> {
  const attributes: Partial<Record<string, string>> = {};
  for (const [, name = '', double, single, bare] of tag.matchAll(ANY_ATTRIBUTES))
    attributes[name.toLowerCase()] ??= decodeEntities(double ?? single ?? bare ?? '');
  return attributes;
}

/** Serializes a start tag with escaped values. An attribute with an empty value is written as its name alone. */
export function openTag(name: string, attributes: ReadonlyMap<string, string>): string {
  const serialized = [...attributes].map(([attribute, value]) =>
    value === '' && attribute !== 'alt' ? ` ${attribute}` : ` ${attribute}="${escapeHtml(value)}"`,
  );
  return `<${name}${serialized.join('')}${PRESERVED_VOID.has(name) ? ' /' : ''}>`;
}

/** Escapes text for HTML content and double-quoted attribute values. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export function escapeXml(text: string): string {
  return escapeHtml(xmlCharacters(text));
}

/** Wraps text in a CDATA section, markup included. */
export function toCdata(text: string): string {
  return `<![CDATA[${xmlCharacters(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** Removes characters that XML 1.0 (2.2) can't represent. */
function xmlCharacters(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
}

/** Decodes the entities of sanitised HTML. */
export function decodeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
}
