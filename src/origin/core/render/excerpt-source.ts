import { BLOCK_MARK, readBlockMark } from './block-comment.ts';
import { hasBlocks } from './has-blocks.ts';

/** Blocks an excerpt may quote. */
const QUOTED = new Set([
  'paragraph',
  'heading',
  'list',
  'list-item',
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

/** Drops blocks an excerpt does not quote, with everything inside them. */
function keepQuoted(stored: string): string {
  let result = '';
  let end = 0;
  let skippedDepth = 0;
  for (const match of stored.matchAll(BLOCK_MARK)) {
    const { kind, name } = readBlockMark(match);
    const isSkipped = !QUOTED.has(name) && !WRAPPERS.has(name);
    if (skippedDepth === 0) result += stored.slice(end, match.index);
    end = match.index + match[0].length;
    if (kind === 'open' && (isSkipped || skippedDepth > 0)) skippedDepth += 1;
    else if (kind === 'close' && skippedDepth > 0) skippedDepth -= 1;
    else if (skippedDepth === 0 && !(kind === 'empty' && isSkipped)) result += match[0];
  }
  return skippedDepth === 0 ? result + stored.slice(end) : result;
}
