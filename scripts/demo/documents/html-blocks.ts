import { findSpans, stripTags } from '#contracts/index.ts';
export type Block = { kind: 'paragraph'; text: string } | { kind: 'list'; items: string[] };

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

/** The paragraphs and lists of a product text as plain text: the interface allows `p`, `ul`, `li` and inline marks. */
export function htmlBlocks(html: string): Block[] {
  const blocks: Block[] = [];
  for (const { opening, inner } of findSpans(html, /<(ul|p)>/, /<\/(?:ul|p)>/)) {
    if (opening[1] === 'ul') {
      blocks.push({
        kind: 'list',
        items: [...findSpans(inner, /<li>/, /<\/li>/)].map((item) => plain(item.inner)),
      });
    } else {
      blocks.push({ kind: 'paragraph', text: plain(inner) });
    }
  }
  return blocks;
}

function plain(html: string): string {
  return stripTags(html)
    .replace(/&(#\d+|\w+);/g, (whole, name: string) =>
      name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (ENTITIES[name] ?? whole),
    )
    .trim();
}
