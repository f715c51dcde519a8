/** A piece of sanitised HTML: a tag, or the text up to the next one. */
export type HtmlPiece =
  | { kind: 'text'; source: string }
  | { kind: 'open'; source: string; name: string; attributes: Map<string, string> }
  | { kind: 'close'; source: string; name: string };

const PIECES = /<(\/?)([a-z][a-z0-9]*)((?![a-z0-9])[^<>]*)>|[^<]+|</g;
const ATTRIBUTES = /([^\s=/"]+)(?:="([^"]*)")?/g;

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
  return new Map([...text.matchAll(ATTRIBUTES)].map(([, name = '', value = '']) => [name, decodeHtml(value)]));
}

/** A start tag with its values escaped; an empty value is left out, its name stays. */
export function openTag(name: string, attributes: ReadonlyMap<string, string>): string {
  const written = [...attributes].map(([attribute, value]) =>
    value === '' && attribute !== 'alt' ? ` ${attribute}` : ` ${attribute}="${escapeHtml(value)}"`,
  );
  return `<${name}${written.join('')}${CLOSED.has(name) ? ' /' : ''}>`;
}

/** Kept elements without content. */
export const CLOSED: ReadonlySet<string> = new Set(['br', 'col', 'hr', 'img', 'source', 'track', 'wbr']);

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };

/** Text for the place of text or of a value in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The same for XML: characters that XML 1.0 (2.2) has no way to write are left out. */
export function escapeXml(text: string): string {
  return escapeHtml(text.toWellFormed().replace(/[^\t\n\r\u0020-\uFFFD\u{10000}-\u{10FFFF}]/gu, ''));
}

/** The characters behind the entities that a sanitiser writes. */
export function decodeHtml(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => ENTITIES[entity] ?? entity);
}
