import { episodePath, pagePath, postPath } from '#catalogue/addresses/paths.ts';
import type { PastAddress } from '#snapshot/index.ts';
import { addressSlug } from '#projection/address-slug.ts';
import type { SitePage } from '#projection/page-paths.ts';
import { readArticles } from '#projection/read-articles.ts';
import { stripLanguagePrefix } from '#projection/strip-language-prefix.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { Redirect } from './redirect.ts';

/**
 * Lists the earlier paths of posts, episodes and pages, after changes of slugs or parents. The most recent owner of a
 * path comes first.
 */
export function* movedArticles(source: LoaderSource): Generator<Redirect> {
  const { snapshot } = source;
  const articles = () => readArticles(source).all;
  for (const { kind, present, pathOf } of [
    { kind: 'post', present: () => articles().posts, pathOf: postPath },
    { kind: 'episode', present: () => articles().episodes, pathOf: episodePath },
  ]) {
    const past = [...snapshot.pastPlaces(kind)];
    if (past.length === 0) continue;
    const byId = new Map(present().map((one) => [one.record.id, one]));
    for (const former of past) {
      const now = byId.get(former.id);
      if (!now) continue;
      const from = pathOf(now.language, bareSlug(source, now.language)(former));
      if (from === now.path) continue;
      yield { from, to: now.path };
      // The embeddable player moves with its page.
      if (kind === 'episode') yield { from: `${from}embed/`, to: `${now.path}embed/` };
    }
  }
  const pastPages = Map.groupBy(snapshot.pastPlaces('page'), ({ id }) => id);
  if (pastPages.size > 0) {
    const { pages } = articles();
    const pathsOf = pastPaths(source, pages, pastPages);
    const moved = pages.flatMap(({ record, language, path }) =>
      [...pathsOf(record.id)].map(([slugPath, until]) => ({ from: pagePath(language, slugPath), to: path, until })),
    );
    for (const { from, to } of moved.toSorted((a, b) => (a.until < b.until ? 1 : a.until > b.until ? -1 : 0)))
      if (from !== to) yield { from, to };
  }
}

const bareSlug =
  ({ options }: LoaderSource, language: string) =>
  (past: Pick<PastAddress, 'slug' | 'id'>): string =>
    stripLanguagePrefix(addressSlug(past), language, options.publishing.language);

/** Sorts after all dates, for current segments. */
const CURRENT = '9';

/**
 * @returns Returns each current or earlier path of a page, including those of its ancestors, with the date until which
 * it was valid.
 */
function pastPaths(
  source: LoaderSource,
  pages: readonly SitePage[],
  past: ReadonlyMap<number, readonly PastAddress[]>,
): (id: number) => ReadonlyMap<string, string> {
  const byId = new Map(pages.map((page) => [page.record.id, page]));
  const known = new Map<number, ReadonlyMap<string, string>>();
  const find = (id: number, below: readonly number[]): ReadonlyMap<string, string> => {
    const found = known.get(id);
    if (found) return found;
    const page = byId.get(id);
    if (!page || below.includes(id)) return new Map();
    const { language, record } = page;
    const bare = bareSlug(source, language);
    const paths = new Map<string, string>();
    const add = (slugPath: string, until: string): void => {
      if (until > (paths.get(slugPath) ?? '')) paths.set(slugPath, until);
    };
    for (const { slug, parent, until } of [{ ...record, until: CURRENT }, ...(past.get(id) ?? [])]) {
      const segment = bare({ slug, id });
      const isBelow = parent !== undefined && byId.get(parent)?.language === language;
      const above = isBelow ? [...find(parent, [...below, id])] : [];
      if (above.length === 0) add(segment, until);
      for (const [slugPath, left] of above) add(`${slugPath}/${segment}`, left < until ? left : until);
    }
    // Results below another page may be incomplete because of cycles, so only complete ones are cached.
    if (below.length === 0) known.set(id, paths);
    return paths;
  };
  return (id) => find(id, []);
}
