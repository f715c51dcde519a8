/** Every kind of page that a site has; each has its own templates for title and description. */
export const PAGE_KINDS = [
  // The choice of a language, outside of all of them, and what is not there.
  'chooser',
  'not-found',
  'home',
  'products',
  'family',
  'facet',
  'filter',
  'compare',
  'calculator',
  'family-norm',
  'family-downloads',
  'product',
  'norms',
  'norm',
  'downloads',
  'discontinued',
  'data',
  'search',
  'directory',
  'journal',
  'category',
  'tag',
  'author',
  'month',
  'article',
  'podcast',
  'episode',
  // A page of the publishing site, or one that the project brings.
  'page',
] as const;

export type PageKind = (typeof PAGE_KINDS)[number];

/**
 * Variables of every page: `title` and `excerpt` are its own name and description; `page` is `Page 2` from the second
 * page of a list on, `pagenumber` the number alone.
 */
const COMMON = ['title', 'excerpt', 'page', 'pagenumber', 'sep', 'sitename', 'sitedesc'];

/** What a page of a family knows besides. */
const FAMILY = ['category'];
const ARTICLE = ['category', 'name', 'date', 'modified'];

const OWN: Partial<Record<PageKind, readonly string[]>> = {
  family: FAMILY,
  facet: FAMILY,
  filter: FAMILY,
  compare: FAMILY,
  calculator: FAMILY,
  'family-norm': FAMILY,
  'family-downloads': FAMILY,
  product: [...FAMILY, 'sku', 'gtin', 'brand'],
  article: ARTICLE,
  episode: ['parent_title', 'date', 'modified'],
};

/** Names of the variables that the templates of a kind of page may have, without `%%`. */
export function templateVariables(kind: PageKind): string[] {
  return [...COMMON, ...(OWN[kind] ?? [])];
}

/** Those of a template that its kind of page doesn't have. */
export function unknownVariables(kind: PageKind, template: string): string[] {
  const known = templateVariables(kind);
  const named = [...template.matchAll(/%%([\w-]{1,80})%%/g)].map(([, name = '']) => name);
  return named.filter((name) => !known.includes(name));
}
