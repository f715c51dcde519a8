import { readGtin, stripTags } from '#contracts/index.ts';

/** What a text may mean products by, in the order it stands there. */
export interface Mentions {
  /** GTINs, of thirteen digits. */
  gtins: string[];
  /** Item numbers and names, as they are written. */
  names: string[];
}

const LONGEST_NAME_WORDS = 6;
/** Most texts have far less; one that has more is a list, and the first of it will do. */
const MAX_NAMES = 1_000;

const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }));
/** Also `HW-10220` and `8-12`. */
const WORD = /[\p{L}\p{N}]+(?:[-./][\p{L}\p{N}]+)*/gu;
/** A link to a product's page, here or by GS1 Digital Link. */
const LINKED = /href="[^"]*?(?:\/p\/[^"/]*?|\/01\/)(\d{13,14})\/?["?#]/g;

/**
 * Finds what may be numbers and names of products in the HTML of a post. A number has a digit; a name begins with a
 * capital and has a digit or a word all in capitals, as names of articles do: `DIFFRANA Brems 20`, `Primer 1 l`.
 */
export function findMentions(html: string): Mentions {
  const linked = [...html.matchAll(LINKED)].map(([, digits = '']) => digits);
  const blocks = html.split(/<\/?(?:p|li|td|th|h[2-6]|figcaption|blockquote|br)\b[^<>]*>/).map(toText);
  const names = new Set<string>();
  const gtins: string[] = [...linked];
  for (const block of blocks) {
    const words = [...block.matchAll(WORD)];
    for (const [at, word] of words.entries()) {
      if (/^\d{13,14}$/.test(word[0])) gtins.push(word[0]);
      if (/\d/.test(word[0]) && word[0].length > 2) names.add(word[0]);
      if (!/^\p{Lu}/u.test(word[0])) continue;
      for (const last of words.slice(at, at + LONGEST_NAME_WORDS)) {
        const name = block.slice(word.index, last.index + last[0].length);
        if (/[.!?]\s/.test(name)) break;
        if (/\d|\p{Lu}{3}/u.test(name)) names.add(name);
      }
    }
  }
  return { gtins: [...new Set(gtins.flatMap(toGtin13))], names: [...names].slice(0, MAX_NAMES) };
}

function toText(html: string): string {
  const text = stripTags(html).replace(/&(\w+);/g, (entity, name: string) => ENTITIES.get(name) ?? entity);
  return text.replace(/\s+/g, ' ');
}

function toGtin13(digits: string): string[] {
  const reading = readGtin(digits);
  return reading.ok ? [reading.gtin13] : [];
}
