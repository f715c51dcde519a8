/** One page of every kind that the catalogue has, by a pattern of its path: the first that fits stands for all. */
const KINDS = {
  'language-chooser': /^\/$/,
  home: /^\/de-de\/$/,
  products: /^\/en-gb\/products\/$/,
  family: /^\/de-de\/products\/[^/]+\/$/,
  product: /^\/de-de\/p\/[^/]*9524010000016\/$/,
  journal: /^\/de-de\/journal\/$/,
  category: /^\/en-gb\/journal\/category\/[^/]+\/$/,
  article: /^\/fr-fr\/journal\/(?!page)[^/]+\/$/,
  page: /^\/en-gb\/company\/$/,
} as const;

export type PageKind = keyof typeof KINDS;

export const PAGE_KINDS = Object.keys(KINDS) as PageKind[];

/** @param pages Paths of all pages. @throws Error when a kind has no page. */
export function pageOf(kind: PageKind, pages: readonly string[]): string {
  const found = pages.find((page) => KINDS[kind].test(page));
  if (found === undefined) throw new Error(`No page is of the kind ${kind}: ${KINDS[kind].source} fits none.`);
  return found;
}
