import { BLOCK_MARK, readBlockMark } from './block-comment.ts';
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

const KNOWN_SHORTCODES =
  /\[(?:gallery|caption|audio|video|playlist|embed)\b[^\]]*\](?:[\s\S]*?\[\/(?:gallery|caption|audio|video|playlist|embed)\])?/g;
const FOOTNOTE_REFERENCE = /<sup\b[^>]*\bfn\b[^>]*>[\s\S]*?<\/sup>/gi;

/** The part of stored content that a generated excerpt is made of: up to the fold, without what is no text. */
export function excerptSource(stored: string): string {
  const aboveFold = stored.split(/<!--(?:more[\s\S]*?|nextpage)-->/, 1)[0] ?? '';
  const quoted = hasBlocks(aboveFold) ? keepQuoted(aboveFold) : aboveFold;
  return quoted.replaceAll(KNOWN_SHORTCODES, '').replaceAll(FOOTNOTE_REFERENCE, '');
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

function quoteBlock(block: Block, stored: string): string {
  if (WRAPPERS.has(block.name)) return block.blocks.map((inner) => quoteBlock(inner, stored)).join('');
  const isPlain = block.blocks.every(({ name, blocks }) => QUOTED.has(name) && blocks.length === 0);
  return QUOTED.has(block.name) && isPlain ? stored.slice(block.start, block.end) : '';
}

/** The outermost blocks, each with those inside it; one that is never closed goes on to the end. */
function readBlocks(stored: string): Block[] {
  const outermost: Block[] = [];
  const open: Block[] = [];
  for (const match of stored.matchAll(BLOCK_MARK)) {
    const { kind, name } = readBlockMark(match);
    const end = match.index + match[0].length;
    if (kind === 'close') {
      const closed = open.pop();
      if (closed) closed.end = end;
      continue;
    }
    const block: Block = { name, start: match.index, end: kind === 'empty' ? end : stored.length, blocks: [] };
    (open.at(-1)?.blocks ?? outermost).push(block);
    if (kind === 'open') open.push(block);
  }
  return outermost;
}
