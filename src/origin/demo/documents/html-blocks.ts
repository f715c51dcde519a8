export type Block = { kind: 'paragraph'; text: string } | { kind: 'list'; items: string[] };

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: '\u00a0' };

/** The paragraphs and lists of a product text as plain text: the interface allows `p`, `ul`, `li` and inline marks. */
export function htmlBlocks(html: string): Block[] {
  const blocks: Block[] = [];
  for (const [, list, paragraph] of html.matchAll(/<ul>([\s\S]*?)<\/ul>|<p>([\s\S]*?)<\/p>/g)) {
    if (list !== undefined) {
      blocks.push({
        kind: 'list',
        items: [...list.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, item = '']) => plain(item)),
      });
    } else {
      blocks.push({ kind: 'paragraph', text: plain(paragraph ?? '') });
    }
  }
  return blocks;
}

function plain(html: string): string {
  return html
    .replace(/<[^>]+>/g, '')
    .replace(/&(#\d+|\w+);/g, (whole, name: string) =>
      name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (ENTITIES[name] ?? whole),
    )
    .trim();
}
