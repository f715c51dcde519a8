import { pagePath, postPath } from '../../catalogue/addresses/paths.ts';
import type { PastPlace } from '../../snapshot/index.ts';
import { addressSlug } from '../address-slug.ts';
import { placePages, type PlacedPage } from '../place-pages.ts';
import { placePosts } from '../place-posts.ts';
import { stripLanguagePrefix } from '../strip-language-prefix.ts';
import { indexTerms } from '../term-index.ts';
import type { LoaderSource } from '../with-snapshot.ts';
import type { Redirect } from './redirect.ts';

/** Addresses that posts and pages had: under earlier slugs, below other pages, or below pages with earlier slugs. */
export function* movedWritings(given: LoaderSource): Generator<Redirect> {
  // What is left out is said where pages are loaded.
  const source = { ...given, warn: () => undefined };
  const { snapshot } = source;
  const pastPosts = Map.groupBy(snapshot.pastPlaces('post'), ({ id }) => id);
  const pastPages = Map.groupBy(snapshot.pastPlaces('page'), ({ id }) => id);
  if (pastPosts.size > 0) {
    for (const { record, language, path } of placePosts(source, indexTerms(snapshot.terms()))) {
      const bare = bareSlug(source, language);
      for (const past of pastPosts.get(record.id) ?? []) {
        const from = postPath(language, bare(past));
        if (from !== path) yield { from, to: path };
      }
    }
  }
  if (pastPages.size > 0) {
    const pages = placePages(source);
    const pathsOf = pastPaths(source, pages, pastPages);
    for (const { record, language, path } of pages) {
      for (const slugPath of pathsOf(record.id)) {
        const from = pagePath(language, slugPath);
        if (from !== path) yield { from, to: path };
      }
    }
  }
}

const bareSlug =
  ({ options }: LoaderSource, language: string) =>
  (past: Pick<PastPlace, 'slug' | 'id'>): string =>
    stripLanguagePrefix(addressSlug(past), language, options.publishing.language);

/** @returns Every path that a page has or had, with each place of the pages above. */
function pastPaths(
  source: LoaderSource,
  pages: readonly PlacedPage[],
  past: ReadonlyMap<number, readonly PastPlace[]>,
): (id: number) => ReadonlySet<string> {
  const byId = new Map(pages.map((page) => [page.record.id, page]));
  const known = new Map<number, ReadonlySet<string>>();
  const find = (id: number, below: readonly number[]): ReadonlySet<string> => {
    const found = known.get(id);
    if (found) return found;
    const page = byId.get(id);
    if (!page || below.includes(id)) return new Set();
    const { language, record } = page;
    const bare = bareSlug(source, language);
    const paths = new Set(
      [record, ...(past.get(id) ?? [])].flatMap(({ slug, parent }) => {
        const isBelow = parent !== undefined && byId.get(parent)?.language === language;
        const above = isBelow ? [...find(parent, [...below, id])] : [];
        return above.length > 0 ? above.map((path) => `${path}/${bare({ slug, id })}`) : [bare({ slug, id })];
      }),
    );
    // What was found with a page above left out for being below as well isn't the whole of it.
    if (below.length === 0) known.set(id, paths);
    return paths;
  };
  return (id) => find(id, []);
}
