const BLOCK =
  'address|article|aside|blockquote|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|iframe|legend|li|main|map|math|menu|nav|noscript|object|ol|option|p|pre|script|section|select|style|summary|svg|table|tbody|td|tfoot|th|thead|tr|ul|video|audio';

const OPENS_BLOCK = new RegExp(`^</?(?:${BLOCK})(?![\\w-])`, 'i');
const AROUND_BLOCK = new RegExp(`\\s*(</?(?:${BLOCK})(?![\\w-])(?:"[^"]*"|'[^']*'|[^'">])*>)`, 'gi');

/** Elements whose line breaks are their own business. */
const VERBATIM = /<(pre|script|style|svg|textarea|object|audio|video|math)\b[\s\S]*?<\/\1\s*>/gi;

/**
 * Text as a person types it, as HTML: blank lines part paragraphs, single line breaks become `<br />`. Block
 * elements that are already there are not wrapped.
 */
export function autoparagraph(text: string): string {
  const kept: string[] = [];
  const protectedText = text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(VERBATIM, (element) => setApart(element, `\uE000${kept.push(element) - 1}\uE001`));
  if (protectedText.trim() === '') return '';
  const chunks = separateBlocks(protectedText)
    .split(/\n\s*\n/)
    .map((chunk) => chunk.trim())
    .filter((chunk) => chunk !== '');
  const html = `${chunks.map((chunk) => wrapChunk(chunk, kept)).join('\n')}\n`;
  return html.replaceAll(/\uE000(\d+)\uE001/g, (_, index: string) => kept[Number(index)] ?? '');
}

/** Preformatted text stands alone; a script or a film stands in a paragraph as a word does. */
function setApart(element: string, mark: string): string {
  return /^<pre\b/i.test(element) ? `\n\n${mark}\n\n` : mark;
}

function separateBlocks(text: string): string {
  return text.replaceAll(AROUND_BLOCK, (match, tag: string) =>
    tag.startsWith('</') ? `${match.slice(0, match.length - tag.length).trimEnd()}${tag}\n\n` : `\n\n${tag}`,
  );
}

function wrapChunk(chunk: string, kept: readonly string[]): string {
  const alone = /^\uE000(\d+)\uE001$/.exec(chunk);
  if (alone && /^<pre\b/i.test(kept[Number(alone[1])] ?? '')) return chunk;
  if (!OPENS_BLOCK.test(chunk)) return `<p>${breakLines(chunk)}</p>`;
  const quote = /^(<blockquote[^>]*>)([^<][\s\S]*?)(<\/blockquote>)?$/i.exec(chunk);
  if (quote) return `${quote[1]}<p>${breakLines(quote[2] ?? '')}</p>${quote[3] ?? ''}`;
  return /^<p[\s>]/i.test(chunk) ? breakLines(chunk) : chunk;
}

function breakLines(text: string): string {
  return text.replaceAll(/(?<!<br ?\/?>)\s*\n/g, '<br />\n');
}
