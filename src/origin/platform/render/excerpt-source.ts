import { forwardFinder } from '#contracts/scan-text.ts';
import { readBlockMarks } from './block-comment.ts';
import { hasBlocks } from './has-blocks.ts';

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

/** The part of stored content that a generated excerpt is made of: up to the fold, without what is no text. */
export function excerptSource(stored: string): string {
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
