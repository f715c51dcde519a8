import { findTags, forwardFinder } from '#contracts/scan-text.ts';

const BLOCK =
  'address|article|aside|blockquote|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|iframe|legend|li|main|map|math|menu|nav|noscript|object|ol|option|p|pre|script|section|select|style|summary|svg|table|tbody|td|tfoot|th|thead|tr|ul|video|audio';

const OPENS_BLOCK = new RegExp(`^</?(?:${BLOCK})(?![\\w-])`, 'i');
const BLOCK_TAG = new RegExp(`</?(?:${BLOCK})(?![\\w-])`, 'i');

/** Elements whose line breaks are their own business. */
const VERBATIM = /<(pre|script|style|svg|textarea|object|audio|video|math)\b/gi;

/**
 * Text as a person types it, as HTML: blank lines part paragraphs, single line breaks become `<br />`. Block
 * elements that are already there are not wrapped.
 */
export function autoparagraph(text: string): string {
  const kept: string[] = [];
  const protectedText = setVerbatimApart(text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\uFDD0\uFDD1]/g, ''), kept);
  if (protectedText.trim() === '') return '';
  const chunks = separateBlocks(protectedText)
    .split(/\n\s*\n/)
    .map((chunk) => chunk.trim())
    .filter((chunk) => chunk !== '');
  const html = `${chunks.map((chunk) => wrapChunk(chunk, kept)).join('\n')}\n`;
  return html.replaceAll(/\uFDD0(\d+)\uFDD1/g, (_, index: string) => kept[Number(index)] ?? '');
}

/** Puts a mark in the place of each verbatim element: its number between two signs that no text may hold. */
function setVerbatimApart(text: string, kept: string[]): string {
  const closings = new Map<string, ReturnType<typeof forwardFinder>>();
  const openings = new RegExp(VERBATIM);
  const parts: string[] = [];
  let end = 0;
  for (let found = openings.exec(text); found; found = openings.exec(text)) {
    const name = (found[1] ?? '').toLowerCase();
    const closing = closings.get(name) ?? forwardFinder(text, new RegExp(`</${name}\\s*>`, 'i'));
    closings.set(name, closing);
    const closed = closing(openings.lastIndex);
    if (!closed) continue;
    const elementEnd = closed.index + closed[0].length;
    const mark = `\uFDD0${kept.push(text.slice(found.index, elementEnd)) - 1}\uFDD1`;
    parts.push(text.slice(end, found.index), setApart(name, mark));
    end = elementEnd;
    openings.lastIndex = end;
  }
  return parts.join('') + text.slice(end);
}

/** Preformatted text stands alone; a script or a film stands in a paragraph as a word does. */
function setApart(name: string, mark: string): string {
  return name === 'pre' ? `\n\n${mark}\n\n` : mark;
}

/** Gives block elements lines of their own, and takes white space away before them. */
function separateBlocks(text: string): string {
  const parts: string[] = [];
  let end = 0;
  for (const tag of findTags(text, BLOCK_TAG)) {
    const before = text.slice(end, tag.start).trimEnd();
    parts.push(before, tag.source.startsWith('</') ? `${tag.source}\n\n` : `\n\n${tag.source}`);
    end = tag.end;
  }
  return parts.join('') + text.slice(end);
}

function wrapChunk(chunk: string, kept: readonly string[]): string {
  const alone = /^\uFDD0(\d+)\uFDD1$/.exec(chunk);
  if (alone && /^<pre\b/i.test(kept[Number(alone[1])] ?? '')) return chunk;
  if (!OPENS_BLOCK.test(chunk)) return `<p>${breakLines(chunk)}</p>`;
  const quote = /^(<blockquote[^>]*>)([^<][\s\S]*?)(<\/blockquote>)?$/i.exec(chunk);
  if (quote) return `${quote[1]}<p>${breakLines(quote[2] ?? '')}</p>${quote[3] ?? ''}`;
  return /^<p[\s>]/i.test(chunk) ? breakLines(chunk) : chunk;
}

/** A line break after a `<br />` that is there already stays as it is. */
function breakLines(text: string): string {
  return text.replaceAll(/\s+/g, (blanks, at: number) => {
    const lineEnd = blanks.lastIndexOf('\n');
    const start = /<br ?\/?>$/.test(text.slice(Math.max(0, at - 6), at)) ? 1 : 0;
    return lineEnd < start ? blanks : `${blanks.slice(0, start)}<br />\n${blanks.slice(lineEnd + 1)}`;
  });
}
