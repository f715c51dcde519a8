import { onOneLine } from '../clean-texts.ts';
import { INLINE } from './elements.ts';

const PIECES = /<(\/?)([a-z][a-z0-9]*)((?![a-z0-9])[^<>]*)>|[^<]+|</g;

const ATTRIBUTES = /([^\s=/"]+)(?:="([^"]*)")?/g;

/** Kept elements without content. */
export const CLOSED: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'source', 'track', 'wbr']);

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** What ids in texts of others begin with: none is that of an element of the page. */
export const ID_PREFIX = 'user-content-';

/** Letters, digits and what ids are commonly parted by; anything else would have to be escaped somewhere. */
const OTHER = /[^\p{L}\p{M}\p{N}_.:-]+/gu;

/**
 * The text of sanitised HTML on one line. Blocks, cells and line breaks are parted by a space, so that the end of one
 * and the beginning of the next are two words; `m<sup>2</sup>` stays one.
 */
export function htmlText(html: string): string {
  if (!html.includes('<')) return onOneLine(decodeHtml(html));
  const parts: string[] = [];
  for (const piece of htmlPieces(html)) {
    if (piece.kind === 'text') parts.push(piece.source);
    else if (!INLINE.has(piece.name)) parts.push(' ');
  }
  return onOneLine(decodeHtml(parts.join('')));
}

/** What an id is called in a page. */
export function prefixedId(id: string, prefix: string = ID_PREFIX): string {
  const safe = id.replace(OTHER, '-');
  return safe.startsWith(prefix) ? safe : prefix + safe;
}

/** The ids in sanitised HTML, in their order. */
export function htmlIds(html: string): Set<string> {
  const ids = new Set<string>();
  if (!html.includes(' id="')) return ids;
  for (const piece of htmlPieces(html)) {
    const id = piece.kind === 'open' ? piece.attributes.get('id') : undefined;
    if (id !== undefined) ids.add(id);
  }
  return ids;
}

/** A piece of sanitised HTML: a tag, or the text up to the next one. */
export type HtmlPiece =
  | { kind: 'text'; source: string }
  | { kind: 'open'; source: string; name: string; attributes: Map<string, string> }
  | { kind: 'close'; source: string; name: string };

/**
 * Reads HTML that a sanitiser has written: tags in lower case, values in double quotes, `&`, `<`, `>` and `"` escaped
 * everywhere else. Values of attributes are decoded. Takes time by its length.
 */
export function* htmlPieces(html: string): Generator<HtmlPiece> {
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

/** A start tag with its values escaped; an empty value is left out, its name stays. */
export function openTag(name: string, attributes: ReadonlyMap<string, string>): string {
  const written = [...attributes].map(([attribute, value]) =>
    value === '' && attribute !== 'alt' ? ` ${attribute}` : ` ${attribute}="${escapeHtml(value)}"`,
  );
  return `<${name}${written.join('')}${CLOSED.has(name) ? ' /' : ''}>`;
}

/** Text for the place of text or of a value in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The same for XML. */
export function escapeXml(text: string): string {
  return escapeHtml(xmlCharacters(text));
}

/** Text for XML as it is, markup included. */
export function xmlSection(text: string): string {
  return `<![CDATA[${xmlCharacters(text).replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

/** Characters that XML 1.0 (2.2) has no way to write are left out. */
function xmlCharacters(text: string): string {
  return text.toWellFormed().replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, '');
}

/** The characters behind the entities that a sanitiser writes. */
export function decodeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
}
