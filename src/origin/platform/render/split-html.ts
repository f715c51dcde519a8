import { tagEnds } from '#contracts/scan-text.ts';

/** A piece of HTML: markup that stays as it is, or text between it. */
export interface HtmlPiece {
  kind: 'text' | 'tag' | 'comment' | 'shortcode';
  source: string;
  /** Lower case, with a slash before it when it closes. */
  name: string;
}

/** Where markup begins; a shortcode is there whole. */
const MARKUP = /<!--|<\/?[a-z]|\[\/?[a-z][\w-]*(?:\s[^[\]]*)?\]/gi;

/** Splits HTML into tags, comments, shortcodes and the text between them; joined again they are the same. */
export function splitHtml(html: string): HtmlPiece[] {
  const pieces: HtmlPiece[] = [];
  const tagEnd = tagEnds(html);
  let end = 0;
  const next = new RegExp(MARKUP);
  for (let found = next.exec(html); found; found = next.exec(html)) {
    const markupEnd = endOfMarkup(found, html, tagEnd);
    if (markupEnd === undefined) continue;
    if (found.index > end) pieces.push({ kind: 'text', source: html.slice(end, found.index), name: '' });
    pieces.push(readMarkup(html.slice(found.index, markupEnd)));
    end = markupEnd;
    next.lastIndex = end;
  }
  if (end < html.length) pieces.push({ kind: 'text', source: html.slice(end), name: '' });
  return pieces;
}

/** Nothing for what looks like a tag and is none. A comment that isn't closed goes on to the end. */
function endOfMarkup(
  { 0: opening, index }: RegExpExecArray,
  html: string,
  tagEnd: (start: number) => number | undefined,
): number | undefined {
  if (opening.startsWith('[')) return index + opening.length;
  if (opening !== '<!--') return tagEnd(index);
  const closing = html.indexOf('-->', index + opening.length);
  return closing < 0 ? html.length : closing + 3;
}

function readMarkup(source: string): HtmlPiece {
  if (source.startsWith('<!--')) return { kind: 'comment', source, name: '' };
  const name = /^[<[](\/?[a-z][\w-]*)/i.exec(source)?.[1]?.toLowerCase() ?? '';
  return { kind: source.startsWith('[') ? 'shortcode' : 'tag', source, name };
}
