import { escapeMarkdown, linkTarget } from './markdown-text.ts';

const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' }));
const PIECES = /<(\/?)([a-z]+\d?)(?:\s[^>]*)?>|[^<]+/gi;

/**
 * The texts of products as Markdown: paragraphs, lists, emphasis and links, which is what a sanitised record has.
 * Markdown has no sign for what is set high or low, and no such tables as HTML has: these tags stay as they are.
 */
export function htmlToMarkdown(html: string): string {
  let text = '';
  const lists: { ordered: boolean; items: number }[] = [];
  const links: string[] = [];
  const open = (block: string): void => {
    text = `${text.trimEnd()}${text.trim() === '' ? '' : block}`;
  };
  for (const [piece, slash, name] of html.matchAll(PIECES)) {
    const tag = name?.toLowerCase();
    if (tag === undefined) {
      const words = escapeText(piece);
      text += /(^|\n)$/.test(text) ? words.trimStart() : words;
    } else if (tag === 'ul' || tag === 'ol') {
      if (slash) lists.pop();
      else lists.push({ ordered: tag === 'ol', items: 0 });
      if (lists.length === 0 || (!slash && lists.length === 1)) open('\n\n');
    } else if (tag === 'li') {
      const list = lists.at(-1);
      if (slash || !list) continue;
      list.items += 1;
      open(list.items === 1 && lists.length === 1 ? '\n\n' : '\n');
      text += `${'   '.repeat(lists.length - 1)}${list.ordered ? `${list.items}.` : '-'} `;
    } else if (tag === 'br') text = `${text.trimEnd()}  \n`;
    else if (tag === 'strong' || tag === 'b') text += '**';
    else if (tag === 'em' || tag === 'i') text += '*';
    else if (tag === 'a') {
      if (slash) text += `](${linkTarget(links.pop() ?? '')})`;
      else {
        links.push(decode(/href="([^"]*)"/.exec(piece)?.[1] ?? ''));
        text += '[';
      }
    } else if (/^h\d$/.test(tag)) {
      open('\n\n');
      // Below the heading of the field.
      if (!slash) text += `${'#'.repeat(Math.max(3, Number(tag[1])))} `;
    } else if (['p', 'div', 'blockquote', 'figure'].includes(tag)) {
      if (lists.length === 0) open('\n\n');
    } else text += piece;
  }
  return text.replace(/\n{3,}/g, '\n\n').trim();
}

/** Spaces at its ends part it from what stands around it. */
function escapeText(piece: string): string {
  const text = decode(piece);
  const [start = '', end = ''] = [/^\s/.exec(text)?.[0], /\s$/.exec(text)?.[0]].map((space) => (space ? ' ' : ''));
  const words = escapeMarkdown(text);
  return words === '' ? start : `${start}${words}${end}`;
}

function decode(text: string): string {
  return text.replace(/&([a-z]+|#\d+);/gi, (entity, name: string) => {
    if (/^#\d+$/.test(name)) return String.fromCodePoint(Number(name.slice(1)));
    return ENTITIES.get(name.toLowerCase()) ?? entity;
  });
}
