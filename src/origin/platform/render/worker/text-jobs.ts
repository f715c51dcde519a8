import { setImmediate } from 'node:timers/promises';
import { parseTranscript } from '#contracts/podcast/transcript.ts';
import { analyseHtml, plainText } from '../plain-text.ts';
import { filterHtml, filterInline } from '../filter-html.ts';
import { texturise } from '../texturise.ts';
import {
  findEmbedUrls,
  readBlockMarks,
  hasBlocks,
  addLoadingAttributes,
  renderWithEmbeds,
  renderBlocks,
} from '../render-blocks.ts';
import { forwardFinder, findTags, tryParse } from '#contracts/scan-text.ts';
import { JobThread } from './job-thread.ts';

/** Pure functions that may take long for a large text, by job name. */
const TEXT_JOBS = {
  content: renderContent,
  excerpt: renderExcerpt,
  paragraphs: (text: string) => autoparagraph(texturise(text)),
  filter: filterHtml,
  filterInline,
  footnotes: filterFootnotes,
  addresses: findEmbedUrls,
  analyse: analyseHtml,
  transcript: parseTranscript,
} as const;

export type TextJob = keyof typeof TEXT_JOBS;

/** Runs a job in this thread. */
export function runJob(job: TextJob, args: readonly unknown[]): unknown {
  const work = TEXT_JOBS[job] as unknown as (...args: readonly unknown[]) => unknown;
  return work(...args);
}

type Args<J extends TextJob> = Parameters<(typeof TEXT_JOBS)[J]>;
type Result<J extends TextJob> = ReturnType<(typeof TEXT_JOBS)[J]>;

/** Shorter texts are processed in this thread, as the transfer would take longer. */
const MAX_INLINE_LENGTH = 8 * 1024;
/** The limit for footnotes, which are filtered one by one. */
const MAX_INLINE_FOOTNOTES_LENGTH = 512;
/** Processed characters after which other requests run. */
const TURN_LENGTH = 32 * 1024;
let lettersInTurn = 0;

/** Jobs whose results are requested repeatedly and cached. */
const CACHED_JOBS: ReadonlySet<TextJob> = new Set(['content', 'excerpt', 'paragraphs']);

/** Maximum number of characters in the cache, both sources and results. */
const MAX_CACHED_LENGTH = 2_000_000;

/**
 * Cached results of short texts, by their longest argument, least recently used first.
 *
 * Within an entry they are keyed by job and remaining arguments, so that the long text is hashed once.
 */
const cache = new Map<string, { texts: Map<string, unknown>; letters: number }>();
let cachedLength = 0;

function runInline(job: TextJob, args: readonly unknown[]): unknown {
  const isCacheable = CACHED_JOBS.has(job) && args.every((arg) => !(arg instanceof Map) || arg.size === 0);
  if (!isCacheable) return runJob(job, args);
  let source = '';
  for (const arg of args) if (typeof arg === 'string' && arg.length > source.length) source = arg;
  let key: string = job;
  for (const arg of args) {
    if (arg === source) key += ' ';
    // The length prevents collisions of concatenated arguments.
    else key += typeof arg === 'string' ? ` ${arg.length} ${arg}` : ` ${String(arg)}`;
  }
  const entry = cache.get(source) ?? { texts: new Map<string, unknown>(), letters: 0 };
  cache.delete(source);
  cache.set(source, entry);
  const cached = entry.texts.get(key);
  if (cached !== undefined) return cached;
  const text = runJob(job, args);
  entry.texts.set(key, text);
  const letters = (entry.letters === 0 ? source.length : 0) + key.length + String(text).length;
  entry.letters += letters;
  cachedLength += letters;
  for (const [oldest, { letters: freed }] of cache) {
    if (cachedLength <= MAX_CACHED_LENGTH) break;
    cache.delete(oldest);
    cachedLength -= freed;
  }
  return text;
}

/**
 * Renders or filters a text without blocking other requests: long texts in a worker thread, short ones here, with
 * other requests in between.
 */
export async function runTextJob<J extends TextJob>(job: J, ...args: Args<J>): Promise<Result<J>> {
  const letters = args.reduce<number>((sum, arg) => sum + (typeof arg === 'string' ? arg.length : 0), 0);
  if (letters > (job === 'footnotes' ? MAX_INLINE_FOOTNOTES_LENGTH : MAX_INLINE_LENGTH))
    return (await thread.run(job, args)) as Result<J>;
  lettersInTurn += letters;
  if (lettersInTurn > TURN_LENGTH) {
    lettersInTurn = 0;
    await setImmediate();
  }
  return runInline(job, args) as Result<J>;
}

const thread = new JobThread(import.meta.url);

/**
 * Filters footnotes for users without the right to unfiltered HTML. Footnotes are a JSON list of entries with ID and
 * text.
 */
function filterFootnotes(json: string): string {
  const notes = tryParse(json);
  return Array.isArray(notes) ? JSON.stringify(notes.flatMap(filterFootnote)) : '';
}

function filterFootnote(note: unknown): { id: string; content: string }[] {
  if (typeof note !== 'object' || note === null || !('id' in note) || !('content' in note)) return [];
  return [{ id: plainText(String(note.id)), content: filterHtml(String(note.content)) }];
}

const BLOCK =
  'address|article|aside|blockquote|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|hr|iframe|legend|li|main|map|math|menu|nav|noscript|object|ol|option|p|pre|script|section|select|style|summary|svg|table|tbody|td|tfoot|th|thead|tr|ul|video|audio';

const OPENS_BLOCK = new RegExp(`^</?(?:${BLOCK})(?![\\w-])`, 'i');

const BLOCK_TAG = new RegExp(`</?(?:${BLOCK})(?![\\w-])`, 'i');

/** Elements whose line breaks must not change. */
const VERBATIM = /<(?:pre|script|style|svg|textarea|object|audio|video|math)\b/i;

/** Blocks that an excerpt includes. Nested blocks must be of these types too, and not nested further. */
const EXCERPT_BLOCKS = new Set(
  'paragraph heading list quote pullquote preformatted verse table html media-text freeform'.split(' '),
);

/** Container blocks, whose content an excerpt may include. */
const WRAPPERS = new Set(['columns', 'column', 'group']);

const SHORTCODE = /\[(?:gallery|caption|audio|video|playlist|embed)\b/;

const SHORTCODE_END = /\[\/(?:gallery|caption|audio|video|playlist|embed)\]/;

const DEFAULT_WORDS = 55;
const CUT = ' [&hellip;]';

/**
 * Renders the stored excerpt, or the first words of the content.
 *
 * @param words length of a generated excerpt; doesn't affect a stored one
 * @param embeds HTML by address in the content
 */
export function renderExcerpt(
  stored: string,
  content: string,
  words = DEFAULT_WORDS,
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

/** Returns the content up to the "more" mark, without shortcodes and footnote references. */
function excerptSource(stored: string): string {
  const { index = stored.length, 0: mark = '' } = /<!--(?:more|nextpage-->)/.exec(stored) ?? {};
  const isFold = mark !== '<!--more' || stored.includes('-->', index + mark.length);
  const aboveFold = isFold ? stored.slice(0, index) : stored;
  const quoted = hasBlocks(aboveFold) ? selectExcerptBlocks(aboveFold) : aboveFold;
  return removeFootnoteReferences(removeShortcodes(quoted));
}

/** Removes shortcodes, with their content if they are closed. */
function removeShortcodes(text: string): string {
  const tagEnd = forwardFinder(text, /\]/);
  const closing = forwardFinder(text, SHORTCODE_END);
  return replaceParts(text, SHORTCODE, (start, opening) => {
    const end = tagEnd(start + opening.length);
    if (!end) return undefined;
    const closed = closing(end.index + 1);
    return closed ? closed.index + closed[0].length : end.index + 1;
  });
}

/** Removes superscript links to footnotes (class `fn`). */
function removeFootnoteReferences(html: string): string {
  const tagEnd = forwardFinder(html, />/);
  const name = forwardFinder(html, /\bfn\b/);
  const closing = forwardFinder(html, /<\/sup>/i);
  return replaceParts(html, /<sup\b/i, (start, opening) => {
    const end = tagEnd(start + opening.length);
    const named = name(start + opening.length);
    if (!end || !named || named.index > end.index) return undefined;
    const closed = closing(end.index + 1);
    return closed && closed.index + closed[0].length;
  });
}

/**
 * Replaces the parts that begin with a match; removes them by default.
 *
 * @param endOf returns the end of the part, or undefined to preserve it
 */
function replaceParts(
  text: string,
  opening: RegExp,
  endOf: (start: number, opening: string) => number | undefined,
  replacementOf: (part: string, opening: string) => string = () => '',
): string {
  const openings = new RegExp(opening, `${opening.flags}g`);
  const remaining: string[] = [];
  let position = 0;
  for (let found = openings.exec(text); found; found = openings.exec(text)) {
    const end = endOf(found.index, found[0]);
    if (end === undefined) continue;
    remaining.push(text.slice(position, found.index), replacementOf(text.slice(found.index, end), found[0]));
    position = end;
    openings.lastIndex = end;
  }
  return remaining.join('') + text.slice(position);
}

interface Block {
  name: string;
  /** Position including its comments. */
  start: number;
  end: number;
  blocks: Block[];
}

/** Removes blocks that an excerpt doesn't include, with everything inside them. Text between blocks is preserved. */
function selectExcerptBlocks(stored: string): string {
  let result = '';
  let end = 0;
  for (const block of readBlocks(stored)) {
    result += stored.slice(end, block.start) + excerptOfBlock(block, stored);
    end = block.end;
  }
  return result + stored.slice(end);
}

/** Iterative, as blocks may be nested deeper than the call stack allows. */
function excerptOfBlock(outermost: Block, stored: string): string {
  const parts: string[] = [];
  const pending = [outermost];
  for (let block = pending.pop(); block; block = pending.pop()) {
    if (WRAPPERS.has(block.name)) {
      for (const inner of block.blocks.toReversed()) pending.push(inner);
      continue;
    }
    const isPlain = block.blocks.every(({ name, blocks }) => EXCERPT_BLOCKS.has(name) && blocks.length === 0);
    if (EXCERPT_BLOCKS.has(block.name) && isPlain) parts.push(stored.slice(block.start, block.end));
  }
  return parts.join('');
}

/** Parses the outermost blocks with their nested ones. An unclosed block extends to the end. */
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
 * Renders stored content: removes block comments, or adds paragraphs to text without blocks.
 *
 * @param embeds HTML by address on its own line
 */
export function renderContent(stored: string, embeds = NO_EMBEDS): string {
  if (last?.stored === stored && last.embeds === embeds) return last.html;
  const html = renderWithEmbeds(stored, embeds, (text) =>
    addLoadingAttributes(hasBlocks(text) ? texturise(renderBlocks(text)) : autoparagraph(texturise(text))),
  );
  last = stored.length <= MAX_LAST ? { stored, embeds, html } : undefined;
  return html;
}

const NO_EMBEDS: ReadonlyMap<string, string> = new Map();

/** Caches the latest result, as most excerpts are derived from the content rendered just before. */
let last: { stored: string; embeds: ReadonlyMap<string, string>; html: string } | undefined;

/** Maximum length of a cached text. */
const MAX_LAST = 16 * 1024;

/**
 * Converts plain text to HTML: blank lines separate paragraphs, line breaks become `<br />`. Existing block elements
 * are not wrapped.
 */
export function autoparagraph(text: string): string {
  const verbatim: string[] = [];
  const protectedText = extractVerbatim(text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\uFDD0\uFDD1]/g, ''), verbatim);
  if (protectedText.trim() === '') return '';
  const chunks = separateBlocks(protectedText)
    .split(/\n\s*\n/)
    .map((chunk) => chunk.trim())
    .filter((chunk) => chunk !== '');
  const html = `${chunks.map((chunk) => wrapChunk(chunk, verbatim)).join('\n')}\n`;
  return html.replaceAll(/\uFDD0(\d+)\uFDD1/g, (_, index: string) => verbatim[Number(index)] ?? '');
}

/** Replaces verbatim elements by placeholders: their index between two noncharacters. */
function extractVerbatim(text: string, verbatim: string[]): string {
  const closings = new Map<string, ReturnType<typeof forwardFinder>>();
  const endOf = (start: number, opening: string) => {
    const name = opening.slice(1).toLowerCase();
    const closing = closings.get(name) ?? forwardFinder(text, new RegExp(`</${name}\\s*>`, 'i'));
    closings.set(name, closing);
    const closed = closing(start + opening.length);
    return closed && closed.index + closed[0].length;
  };
  return replaceParts(text, VERBATIM, endOf, (element, opening) => {
    const mark = `\uFDD0${verbatim.push(element) - 1}\uFDD1`;
    // Preformatted text is a block on a separate line; other verbatim elements are inline.
    return opening.toLowerCase() === '<pre' ? `\n\n${mark}\n\n` : mark;
  });
}

/** Puts block elements on separate lines and removes white space before them. */
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

function wrapChunk(chunk: string, verbatim: readonly string[]): string {
  const placeholder = /^\uFDD0(\d+)\uFDD1$/.exec(chunk);
  if (placeholder && /^<pre\b/i.test(verbatim[Number(placeholder[1])] ?? '')) return chunk;
  if (!OPENS_BLOCK.test(chunk)) return `<p>${breakLines(chunk)}</p>`;
  const quote = /^(<blockquote[^>]*>)([^<][\s\S]*?)(<\/blockquote>)?$/i.exec(chunk);
  if (quote) return `${quote[1]}<p>${breakLines(quote[2] ?? '')}</p>${quote[3] ?? ''}`;
  return /^<p[\s>]/i.test(chunk) ? breakLines(chunk) : chunk;
}

/** Preserves a line break after an existing `<br />`. */
function breakLines(text: string): string {
  return text.replaceAll(/\s+/g, (blanks, at: number) => {
    const lineEnd = blanks.lastIndexOf('\n');
    const start = /<br ?\/?>$/.test(text.slice(Math.max(0, at - 6), at)) ? 1 : 0;
    return lineEnd < start ? blanks : `${blanks.slice(0, start)}<br />\n${blanks.slice(lineEnd + 1)}`;
  });
}
