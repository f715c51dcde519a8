/** A piece of HTML: markup that stays as it is, or text between it. */
export interface HtmlPiece {
  kind: 'text' | 'tag' | 'comment' | 'shortcode';
  source: string;
  /** Lower case, with a slash before it when it closes. */
  name: string;
}

const PIECE = /<!--[\s\S]*?(?:-->|$)|<\/?[a-z](?:"[^"]*"|'[^']*'|[^'">])*>|\[\/?[a-z][\w-]*(?:\s[^[\]]*)?\]/gi;

/** Splits HTML into tags, comments, shortcodes and the text between them; joined again they are the same. */
export function splitHtml(html: string): HtmlPiece[] {
  const pieces: HtmlPiece[] = [];
  let end = 0;
  for (const match of html.matchAll(PIECE)) {
    if (match.index > end) pieces.push({ kind: 'text', source: html.slice(end, match.index), name: '' });
    pieces.push(readMarkup(match[0]));
    end = match.index + match[0].length;
  }
  if (end < html.length) pieces.push({ kind: 'text', source: html.slice(end), name: '' });
  return pieces;
}

function readMarkup(source: string): HtmlPiece {
  if (source.startsWith('<!--')) return { kind: 'comment', source, name: '' };
  const name = /^[<[](\/?[a-z][\w-]*)/i.exec(source)?.[1]?.toLowerCase() ?? '';
  return { kind: source.startsWith('[') ? 'shortcode' : 'tag', source, name };
}
