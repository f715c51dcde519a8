import { forwardFinder, findTags } from '#contracts/scan-text.ts';
import { plainText } from './plain-text.ts';
import { readBlockMarks, hasBlocks, dressImages, placeEmbeds, renderBlocks } from './render-blocks.ts';
import { texturise } from './texturise.ts';

const BLOCK =
  'address|article|aside|blockquote|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|iframe|legend|li|main|map|math|menu|nav|noscript|object|ol|option|p|pre|script|section|select|style|summary|svg|table|tbody|td|tfoot|th|thead|tr|ul|video|audio';

const OPENS_BLOCK = new RegExp(`^</?(?:${BLOCK})(?![\\w-])`, 'i');

const BLOCK_TAG = new RegExp(`</?(?:${BLOCK})(?![\\w-])`, 'i');

/** Elements whose line breaks are their own business. */
const VERBATIM = /<(pre|script|style|svg|textarea|object|audio|video|math)\b/gi;

/** Blocks an excerpt may quote, unless they hold others than these, or those hold further ones. */
const QUOTED = new Set([
  'paragraph',
  'heading',
  'list',
  'quote',
  'pullquote',
  'preformatted',
  'verse',
  'table',
  'html',
  'media-text',
  'freeform',
]);

/** Blocks that only hold others; it may quote those. */
const WRAPPERS = new Set(['columns', 'column', 'group']);

const SHORTCODE = /\[(?:gallery|caption|audio|video|playlist|embed)\b/;

const SHORTCODE_END = /\[\/(?:gallery|caption|audio|video|playlist|embed)\]/;

const USUAL_WORDS = 55;
const CUT = ' [&hellip;]';

/**
 * The excerpt as HTML: the stored one, or the first words of the content.
 *
 * @param words how many words a generated excerpt has; nothing of it changes a stored one
 * @param embeds HTML by the address it stands for in the content
 */
export function renderExcerpt(
  stored: string,
  content: string,
  words = USUAL_WORDS,
  embeds?: ReadonlyMap<string, string>,
): string {
  if (stored.trim() !== '') return autoparagraph(texturise(stored));
  const text = plainText(renderContent(excerptSource(content), embeds));
  if (text === '') return '';
  const all = text.split(' ');
  const limit = Math.max(0, words);
  const shown = all.length > limit ? all.slice(0, limit).join(' ') + CUT : text;
  return `<p>${texturise(shown)}</p>\n`;
}

/** The part of stored content that a generated excerpt is made of: up to the fold, without what is no text. */
function excerptSource(stored: string): string {
  const aboveFold = stored.slice(0, findFold(stored));
  const quoted = hasBlocks(aboveFold) ? keepQuoted(aboveFold) : aboveFold;
  return dropFootnoteReferences(dropShortcodes(quoted));
}

function findFold(stored: string): number {
  const { index, 0: mark } = /<!--(?:more|nextpage-->)/.exec(stored) ?? {};
  const isFold = mark !== '<!--more' || stored.includes('-->', (index ?? 0) + mark.length);
  return isFold ? (index ?? stored.length) : stored.length;
}

/** With what they enclose, where they are closed. */
function dropShortcodes(text: string): string {
  const tagEnd = forwardFinder(text, /\]/);
  const closing = forwardFinder(text, SHORTCODE_END);
  return dropParts(text, SHORTCODE, (start, opening) => {
    const end = tagEnd(start + opening.length);
    if (!end) return undefined;
    const closed = closing(end.index + 1);
    return closed ? closed.index + closed[0].length : end.index + 1;
  });
}

/** Small raised links of the class `fn`, which lead to a footnote. */
function dropFootnoteReferences(html: string): string {
  const tagEnd = forwardFinder(html, />/);
  const name = forwardFinder(html, /\bfn\b/);
  const closing = forwardFinder(html, /<\/sup>/i);
  return dropParts(html, /<sup\b/i, (start, opening) => {
    const end = tagEnd(start + opening.length);
    const named = name(start + opening.length);
    if (!end || !named || named.index > end.index) return undefined;
    const closed = closing(end.index + 1);
    return closed && closed.index + closed[0].length;
  });
}

/** The text without the parts that begin with a match and end where is said. */
function dropParts(
  text: string,
  opening: RegExp,
  endOf: (start: number, opening: string) => number | undefined,
): string {
  const openings = new RegExp(opening, `${opening.flags}g`);
  const kept: string[] = [];
  let at = 0;
  for (let found = openings.exec(text); found; found = openings.exec(text)) {
    const end = endOf(found.index, found[0]);
    if (end === undefined) continue;
    kept.push(text.slice(at, found.index));
    at = end;
    openings.lastIndex = end;
  }
  return kept.join('') + text.slice(at);
}

interface Block {
  name: string;
  /** Where its marks begin and end. */
  start: number;
  end: number;
  blocks: Block[];
}

/** Drops blocks an excerpt does not quote, with everything inside them; text between blocks stays. */
function keepQuoted(stored: string): string {
  let result = '';
  let end = 0;
  for (const block of readBlocks(stored)) {
    result += stored.slice(end, block.start) + quoteBlock(block, stored);
    end = block.end;
  }
  return result + stored.slice(end);
}

/** Blocks may lie in each other as deep as their author likes: deeper than functions may call themselves. */
function quoteBlock(outermost: Block, stored: string): string {
  const parts: string[] = [];
  const waiting = [outermost];
  for (let block = waiting.pop(); block; block = waiting.pop()) {
    if (WRAPPERS.has(block.name)) {
      for (const inner of block.blocks.toReversed()) waiting.push(inner);
      continue;
    }
    const isPlain = block.blocks.every(({ name, blocks }) => QUOTED.has(name) && blocks.length === 0);
    if (QUOTED.has(block.name) && isPlain) parts.push(stored.slice(block.start, block.end));
  }
  return parts.join('');
}

/** The outermost blocks, each with those inside it; one that is never closed goes on to the end. */
function readBlocks(stored: string): Block[] {
  const outermost: Block[] = [];
  const open: Block[] = [];
  for (const { kind, name, start, end } of readBlockMarks(stored)) {
    if (kind === 'close') {
      const closed = open.pop();
      if (closed) closed.end = end;
      continue;
    }
    const block: Block = { name, start, end: kind === 'empty' ? end : stored.length, blocks: [] };
    (open.at(-1)?.blocks ?? outermost).push(block);
    if (kind === 'open') open.push(block);
  }
  return outermost;
}

/**
 * Stored content as HTML: blocks lose their marks, text without blocks gets its paragraphs.
 *
 * @param embeds HTML by the address it stands for, where that has a line of its own
 */
export function renderContent(stored: string, embeds = NO_EMBEDS): string {
  if (last?.stored === stored && last.embeds === embeds) return last.html;
  const html = placeEmbeds(stored, embeds, (text) =>
    dressImages(hasBlocks(text) ? texturise(renderBlocks(text)) : autoparagraph(texturise(text))),
  );
  last = stored.length <= MAX_LAST ? { stored, embeds, html } : undefined;
  return html;
}

const NO_EMBEDS: ReadonlyMap<string, string> = new Map();

/** What was rendered last: most excerpts are made of what was just shown as content. */
let last: { stored: string; embeds: ReadonlyMap<string, string>; html: string } | undefined;

/** Letters; longer texts aren't held. */
const MAX_LAST = 16 * 1024;

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
