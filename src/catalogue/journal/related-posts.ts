import type { PostEntry } from '#model/entries.ts';

type Termed = Pick<PostEntry, 'categories' | 'tags'>;

const MAX_RELATED = 3;
/** Of a term, the posts that are looked at: a large journal has terms that say little. */
const MAX_OF_TERM = 100;
/** A tag says more of what a post is about than its category. */
const WEIGHTS = { tag: 2, category: 1 };

/**
 * Posts to go on with: those that share most tags and categories, and after them the first of the others.
 * @param posts Of the language, the post itself among them.
 */
export function relatedPosts<T extends Termed>(posts: readonly T[], post: T): T[] {
  const byTerm = termsOf(posts);
  const scores = new Map<Termed, number>();
  for (const { key, weight } of keysOf(post))
    for (const other of byTerm.get(key) ?? []) scores.set(other, (scores.get(other) ?? 0) + weight);
  const first = posts.slice(0, MAX_RELATED + 1);
  const scored = posts.filter((other) => scores.has(other));
  return [...new Set([...scored, ...first])]
    .filter((other) => other !== post)
    .toSorted((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0))
    .slice(0, MAX_RELATED);
}

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
