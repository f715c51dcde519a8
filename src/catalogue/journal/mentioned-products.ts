import type { ListedEntry, PostEntry } from '#model/entries.ts';
import { findMentions } from './find-mentions.ts';
import type { Site } from '../site/load-site.ts';

const MAX_MENTIONED = 8;

/** The products that a post links to or names, as far as they are offered in its language, in the order it does so. */
export function mentionedProducts(
  site: Pick<Site, 'named' | 'product'>,
  post: Pick<PostEntry, 'language' | 'html'>,
): ListedEntry[] {
  const { gtins, names } = findMentions(post.html);
  const linked = gtins.flatMap((gtin) => site.product(post.language, gtin) ?? []);
  const places = new Map(names.map((name, place) => [name, place]));
  const placeOf = ({ name, item_number }: ListedEntry) =>
    Math.min(places.get(name) ?? Infinity, places.get(item_number) ?? Infinity);
  const named = site.named(post.language, names).toSorted((a, b) => placeOf(a) - placeOf(b));
  const found = new Map([...named, ...linked].filter(({ archived }) => !archived).map((one) => [one.gtin, one]));
  return [...found.values()].slice(0, MAX_MENTIONED);
}
