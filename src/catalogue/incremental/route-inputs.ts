/** The inputs of pages, as far as a build can tell whether they have changed since the last one. */
export type RouteInput =
  /** What others show of products: names, values, documents, how many there are. Not a price or a long text. */
  | 'lists'
  /** Posts, pages and all else that the snapshot has besides products. */
  | 'articles';

const LISTS: readonly RouteInput[] = ['lists'];
const ARTICLES: readonly RouteInput[] = ['articles'];

/**
 * Routes whose pages, and which of them there are, depend on nothing but these inputs, the project, and what stands
 * around every page. While all of that is as it was, a build doesn't ask them for their paths, and so renders none of
 * them, not even those without keys.
 *
 * A route that isn't named is always asked: one of the project's own, of which nothing is known; pages whose text may
 * bring components; home pages, which say of which snapshot they are; the feeds of changes, which every run of a sync
 * may go into; and the pages of products, which are looked at one by one.
 */
export const ROUTE_INPUTS: Readonly<Record<string, readonly RouteInput[]>> = {
  // Languages, which stand around every page, and the project.
  '404.astro': [],
  'index.astro': [],
  'robots.txt.ts': [],
  // Counts products and names posts.
  'llms.txt.ts': ['lists', 'articles'],
  '[language]/atom.xml.ts': ARTICLES,
  '[language]/data.astro': LISTS,
  '[language]/downloads/[...page].astro': LISTS,
  '[language]/downloads/discontinued/[...page].astro': LISTS,
  '[language]/journal/[...page].astro': ARTICLES,
  '[language]/journal/[kind]/[term]/[...page].astro': ARTICLES,
  '[language]/journal/[kind]/[term]/rss.xml.ts': ARTICLES,
  // Shows the products that it mentions.
  '[language]/journal/[slug].astro': ['articles', 'lists'],
  '[language]/norms/[norm]/[...page].astro': LISTS,
  '[language]/norms/index.astro': LISTS,
  '[language]/podcast/[...page].astro': ARTICLES,
  '[language]/podcast/[feed].xml.ts': ARTICLES,
  '[language]/podcast/[slug]/chapters.json.ts': ARTICLES,
  // Show the products that it is about.
  '[language]/podcast/[slug]/index.astro': ['articles', 'lists'],
  '[language]/podcast/[slug]/index.html.md.ts': ['articles', 'lists'],
  '[language]/products/[family]/[...page].astro': LISTS,
  '[language]/products/[family]/[facet]/[option]/[...page].astro': LISTS,
  '[language]/products/[family]/calculator.astro': LISTS,
  '[language]/products/[family]/calculator.json.ts': LISTS,
  '[language]/products/[family]/compare.astro': LISTS,
  '[language]/products/[family]/downloads/[...page].astro': LISTS,
  '[language]/products/[family]/facets.json.ts': LISTS,
  '[language]/products/[family]/filter.astro': LISTS,
  '[language]/products/[family]/norms/[norm]/[...page].astro': LISTS,
  '[language]/products/index.astro': LISTS,
  '[language]/rss.xml.ts': ARTICLES,
  '[language]/search/[list]/[...place].astro': LISTS,
  '[language]/search/index.astro': LISTS,
};

const PAGES = 'src/pages/';

/**
 * Whether a route may have other pages, or pages that show something else, after such changes.
 * @param route Its file, relative to the project.
 */
export function mayChange(route: string, changed: ReadonlySet<RouteInput>): boolean {
  const inputs = route.startsWith(PAGES) ? ROUTE_INPUTS[route.slice(PAGES.length)] : undefined;
  return inputs === undefined || inputs.some((input) => changed.has(input));
}
