export { readingMinutes } from '#analysis/text/keyphrase.ts';
import { decodeHtml } from '#contracts/html/html-text.ts';
import { stripTags, parseGtin } from '#contracts/index.ts';
import type { PostEntry, ProductListEntry, Mentions } from '#catalogue/entries/entries.ts';
import { cacheByObject } from '../cache.ts';
import { trackedQuery } from '../site/tracked-queries.ts';
import type { Site } from '../site/load-site.ts';

const LONGEST_NAME_WORDS = 6;

/** Maximum number of names. A text with more is a list. */
const MAX_NAMES = 1_000;

/** Also matches `AB-10220` and `8-12`. */
const WORD = /[\p{L}\p{N}]+(?:[-./][\p{L}\p{N}]+)*/gu;

/** Link to a product page or a GS1 Digital Link. */
const LINKED = /href="[^"]*?(?:\/p\/[^"/]*?|\/01\/)(\d{13,14})\/?["?#]/g;

/** Maximum number of products mentioned in a text. Several products may share a name. */
export const MAX_MENTIONED = 8;

type Termed = Pick<PostEntry, 'categories' | 'tags'>;

const MAX_RELATED = 3;
/** Maximum number of posts considered per term, because frequent terms are unspecific. */
const MAX_OF_TERM = 100;
/** Tags are more specific than categories. */
const WEIGHTS = { tag: 2, category: 1 };
/** Exceeds any score of shared terms. */
const CORNERSTONE_WEIGHT = 1000;

/**
 * Returns related posts. Posts that share the most tags and categories come first, cornerstone posts before others. The
 * first of the list fill up the rest.
 * @param posts Posts of the language, including `post`.
 */
export function relatedPosts<T extends Termed>(
  posts: readonly T[],
  post: T,
  isCornerstone: (other: T) => boolean = () => false,
): T[] {
  const byTerm = termsOf(posts);
  const scores = new Map<Termed, number>();
  for (const { key, weight } of termKeys(post))
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

export const findPost = trackedQuery('post', ['posts'], (site: Pick<Site, 'posts'>, language: string, slug: string) =>
  site.posts(language).find((post) => post.slug === slug),
);

export const findRelatedPosts = trackedQuery(
  'postsToGoOnWith',
  ['posts', 'heads'],
  (site: Pick<Site, 'posts' | 'head'>, language: string, slug: string): PostEntry[] => {
    const posts = site.posts(language);
    const post = posts.find((candidate) => candidate.slug === slug);
    return post ? relatedPosts(posts, post, ({ path }) => site.head(path)?.isCornerstone === true) : [];
  },
);

/** Returns the first posts with each term. Cached per language, because each post needs it. */
const termsOf = cacheByObject((posts: readonly Termed[]) => {
  const byTerm = new Map<string, Termed[]>();
  for (const post of posts) {
    for (const { key } of termKeys(post)) {
      const list = byTerm.get(key) ?? [];
      byTerm.set(key, list);
      if (list.length < MAX_OF_TERM) list.push(post);
    }
  }
  return byTerm;
});

function termKeys({ categories, tags }: Termed): { key: string; weight: number }[] {
  return [
    ...tags.map(({ slug }) => ({ key: `tag/${slug}`, weight: WEIGHTS.tag })),
    ...categories.map(({ slug }) => ({ key: `category/${slug}`, weight: WEIGHTS.category })),
  ];
}

export type PostTeaser = Pick<PostEntry, 'title' | 'path' | 'excerpt' | 'published' | 'categories' | 'featured'>;

/** Returns the current products that a text links to or names, in the order of the text. */
export function mentionedProducts(
  site: Pick<Site, 'named' | 'product'>,
  language: string,
  mentions: Mentions,
): ProductListEntry[] {
  const named = site.named(language, mentions.names, MAX_MENTIONED);
  return createMentionFinder(named, (gtin) => site.product(language, gtin))(mentions);
}

/**
 * Creates a finder of mentioned products for many texts.
 * @param named Products that have one of the mentioned names.
 * @param product Looks up a linked product by GTIN. Called until the maximum is reached.
 */
export function createMentionFinder(
  named: readonly ProductListEntry[],
  product: (gtin: string) => ProductListEntry | undefined,
): (mentions: Mentions) => ProductListEntry[] {
  const productNames = named.flatMap((one) => [...new Set([one.name, one.item_number])].map((name) => ({ name, one })));
  const byName = Map.groupBy(productNames, ({ name }) => name);
  const inOrder = function* ({ names, gtins }: Mentions): Generator<ProductListEntry> {
    for (const name of names) for (const { one } of byName.get(name) ?? []) yield one;
    for (const gtin of gtins) {
      const linked = product(gtin);
      if (linked) yield linked;
    }
  };
  return (mentions) => {
    const found = new Map<string, ProductListEntry>();
    for (const one of inOrder(mentions)) {
      if (!one.archived && !found.has(one.gtin)) found.set(one.gtin, one);
      if (found.size === MAX_MENTIONED) break;
    }
    return [...found.values()];
  };
}

/**
 * Extracts possible names and numbers of products from the HTML of a post. A number has a digit. A name starts with a
 * capital and has a digit or a word in capitals: `ALPEX Brems 20`, `Primer 1 l`.
 */
export function findMentions(html: string): Mentions {
  const linked = [...html.matchAll(LINKED)].map(([, digits = '']) => digits);
  const blocks = html.split(/<\/?(?:p|li|td|th|h[2-6]|figcaption|blockquote|br)\b[^<>]*>/).map(toText);
  const names = new Set<string>();
  const gtins: string[] = [...linked];
  for (const block of blocks) {
    const words = splitWords(block);
    for (const [at, { word, start, hasDigit, isCapital }] of words.entries()) {
      if (hasDigit && word.length > 2) names.add(word);
      if (hasDigit && /^\d{13,14}$/.test(word)) gtins.push(word);
      if (!isCapital) continue;
      let isName = false;
      for (let last = at; last < at + LONGEST_NAME_WORDS; last++) {
        const next = words[last];
        if (!next || (last > at && next.startsSentence)) break;
        isName ||= next.isNameMarker;
        if (isName) names.add(block.slice(start, next.end));
      }
    }
  }
  return { gtins: [...new Set(gtins.flatMap(toGtin13))], names: [...names].slice(0, MAX_NAMES) };
}

function splitWords(text: string) {
  let before = 0;
  return [...text.matchAll(WORD)].map(({ 0: word, index: start }) => {
    const hasDigit = /\d/.test(word);
    const isCapital = /^\p{Lu}/u.test(word);
    const startsSentence = start - before > 1 && /[.!?]\s/.test(text.slice(before, start));
    before = start + word.length;
    // A digit, or three consecutive capitals.
    const isNameMarker = hasDigit || /\p{Lu}{3}/u.test(word);
    return { word, start, end: before, hasDigit, isCapital, isNameMarker, startsSentence };
  });
}

const toText = (html: string) => decodeHtml(stripTags(html)).replace(/\s+/g, ' ');

function toGtin13(digits: string): string[] {
  const reading = parseGtin(digits);
  return reading.ok ? [reading.gtin13] : [];
}
