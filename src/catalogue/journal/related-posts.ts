export { readingMinutes } from '#analysis/reading-time.ts';
import { stripTags, readGtin } from '#contracts/index.ts';
import type { PostEntry, ListedEntry } from '#model/entries.ts';
import type { Mentions } from '#model/mentions.ts';
import { question } from '../port/reads.ts';
import type { Site } from '../site/site.ts';

const LONGEST_NAME_WORDS = 6;

/** Most texts have far less; one that has more is a list, and the first of it will do. */
const MAX_NAMES = 1_000;

const ENTITIES = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }));

/** Also `HW-10220` and `8-12`. */
const WORD = /[\p{L}\p{N}]+(?:[-./][\p{L}\p{N}]+)*/gu;

/** A link to a product's page, here or by GS1 Digital Link. */
const LINKED = /href="[^"]*?(?:\/p\/[^"/]*?|\/01\/)(\d{13,14})\/?["?#]/g;

/** Of a text; many products may have one name. */
export const MAX_MENTIONED = 8;

type Termed = Pick<PostEntry, 'categories' | 'tags'>;

const MAX_RELATED = 3;
/** Of a term, the posts that are looked at: a large journal has terms that say little. */
const MAX_OF_TERM = 100;
/** A tag says more of what a post is about than its category. */
const WEIGHTS = { tag: 2, category: 1 };
/** More than posts can share. */
const CORNERSTONE_WEIGHT = 1000;

/**
 * Posts to go on with: those that share most tags and categories, of these the ones that matter most to the site, and
 * after them the first of the others.
 * @param posts Of the language, the post itself among them.
 */
export function relatedPosts<T extends Termed>(
  posts: readonly T[],
  post: T,
  isCornerstone: (other: T) => boolean = () => false,
): T[] {
  const byTerm = termsOf(posts);
  const scores = new Map<Termed, number>();
  for (const { key, weight } of keysOf(post))
    for (const other of byTerm.get(key) ?? []) scores.set(other, (scores.get(other) ?? 0) + weight);
  const first = posts.slice(0, MAX_RELATED + 1);
  const scored = posts.filter((other) => scores.has(other));
  for (const other of scored)
    if (isCornerstone(other)) scores.set(other, (scores.get(other) ?? 0) + CORNERSTONE_WEIGHT);
  return [...new Set([...scored, ...first])]
    .filter((other) => other !== post)
    .toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0))
    .slice(0, MAX_RELATED);
}

/** By the last part of its path. */
export const findPost = question('post', ['posts'], (site: Pick<Site, 'posts'>, language: string, slug: string) =>
  site.posts(language).find((post) => post.slug === slug),
);

/** Posts to go on with after one. */
export const postsToGoOnWith = question(
  'postsToGoOnWith',
  ['posts', 'heads'],
  (site: Pick<Site, 'posts' | 'head'>, language: string, slug: string): PostEntry[] => {
    const posts = site.posts(language);
    const post = posts.find((candidate) => candidate.slug === slug);
    return post ? relatedPosts(posts, post, ({ path }) => site.head(path)?.isCornerstone === true) : [];
  },
);

const terms = new WeakMap<readonly Termed[], Map<string, Termed[]>>();

/** Looked up once for a language: each of its posts asks. */
function termsOf(posts: readonly Termed[]): Map<string, Termed[]> {
  const known = terms.get(posts);
  if (known) return known;
  const byTerm = new Map<string, Termed[]>();
  for (const post of posts) {
    for (const { key } of keysOf(post)) {
      const list = byTerm.get(key) ?? [];
      byTerm.set(key, list);
      if (list.length < MAX_OF_TERM) list.push(post);
    }
  }
  terms.set(posts, byTerm);
  return byTerm;
}

function keysOf({ categories, tags }: Termed): { key: string; weight: number }[] {
  return [
    ...tags.map(({ slug }) => ({ key: `tag/${slug}`, weight: WEIGHTS.tag })),
    ...categories.map(({ slug }) => ({ key: `category/${slug}`, weight: WEIGHTS.category })),
  ];
}

/** What lists show of a post. */
export type TeasedPost = Pick<PostEntry, 'title' | 'path' | 'excerpt' | 'published' | 'categories' | 'featured'>;

/** What stands beside a post's text. */
export type ReadPost = Pick<
  PostEntry,
  'published' | 'modified' | 'author' | 'authorSlug' | 'categories' | 'tags' | 'html'
>;

/** The products that a text links to or names, as far as they are offered in its language, in the order it does so. */
export function mentionedProducts(
  site: Pick<Site, 'named' | 'product'>,
  language: string,
  mentions: Mentions,
): ListedEntry[] {
  const named = site.named(language, mentions.names, MAX_MENTIONED);
  return mentionFinder(named, (gtin) => site.product(language, gtin))(mentions);
}

/**
 * The same for many texts.
 * @param named Products that have one of their names, of each as many as are shown.
 * @param product Asked for those that a text links to, until there are as many as are shown.
 */
export function mentionFinder(
  named: readonly ListedEntry[],
  product: (gtin: string) => ListedEntry | undefined,
): (mentions: Mentions) => ListedEntry[] {
  const namesOf = named.flatMap((one) => [...new Set([one.name, one.item_number])].map((name) => ({ name, one })));
  const byName = Map.groupBy(namesOf, ({ name }) => name);
  const inOrder = function* ({ names, gtins }: Mentions): Generator<ListedEntry> {
    for (const name of names) for (const { one } of byName.get(name) ?? []) yield one;
    for (const gtin of gtins) {
      const linked = product(gtin);
      if (linked) yield linked;
    }
  };
  return (mentions) => {
    const found = new Map<string, ListedEntry>();
    for (const one of inOrder(mentions)) {
      if (!one.archived && !found.has(one.gtin)) found.set(one.gtin, one);
      if (found.size === MAX_MENTIONED) break;
    }
    return [...found.values()];
  };
}

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
    const words = wordsOf(block);
    for (const [at, { word, start, hasDigit, isCapital }] of words.entries()) {
      if (hasDigit && word.length > 2) names.add(word);
      if (hasDigit && /^\d{13,14}$/.test(word)) gtins.push(word);
      if (!isCapital) continue;
      let isName = false;
      for (let last = at; last < at + LONGEST_NAME_WORDS; last++) {
        const next = words[last];
        if (!next || (last > at && next.beginsSentence)) break;
        isName ||= next.marksName;
        if (isName) names.add(block.slice(start, next.end));
      }
    }
  }
  return { gtins: [...new Set(gtins.flatMap(toGtin13))], names: [...names].slice(0, MAX_NAMES) };
}

interface Word {
  word: string;
  start: number;
  end: number;
  hasDigit: boolean;
  isCapital: boolean;
  /** A digit, or three capitals. */
  marksName: boolean;
  beginsSentence: boolean;
}

function wordsOf(text: string): Word[] {
  let before = 0;
  return [...text.matchAll(WORD)].map(({ 0: word, index: start }) => {
    const hasDigit = /\d/.test(word);
    const isCapital = /^\p{Lu}/u.test(word);
    const beginsSentence = start - before > 1 && /[.!?]\s/.test(text.slice(before, start));
    before = start + word.length;
    const marksName = hasDigit || /\p{Lu}{3}/u.test(word);
    return { word, start, end: before, hasDigit, isCapital, marksName, beginsSentence };
  });
}

function toText(html: string): string {
  const text = stripTags(html).replace(/&(\w+);/g, (entity, name: string) => ENTITIES.get(name) ?? entity);
  return text.replace(/\s+/g, ' ');
}

function toGtin13(digits: string): string[] {
  const reading = readGtin(digits);
  return reading.ok ? [reading.gtin13] : [];
}
