/** All page kinds; each has its own templates for title and description. */
export const PAGE_KINDS = [
  // Pages outside of any language: the language chooser and the error page.
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
  // A page of the publishing site or the project.
  'page',
] as const;

export type PageKind = (typeof PAGE_KINDS)[number];

/**
 * Variables of every page. `title` and `excerpt` are its name and description; `page` is `Page 2` from the second page
 * of a list on, `pagenumber` the number alone.
 */
const COMMON = ['title', 'excerpt', 'page', 'pagenumber', 'sep', 'sitename', 'sitedesc'];

/** Additional variables of family pages. */
const FAMILY = ['category'];
const ARTICLE = ['category', 'name', 'date', 'modified'];

const VARIABLES_BY_KIND: Partial<Record<PageKind, readonly string[]>> = {
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

/** Lists the variables of a page kind, without `%%`. */
export function templateVariables(kind: PageKind): string[] {
  return [...COMMON, ...(VARIABLES_BY_KIND[kind] ?? [])];
}

/** Finds variables of a template that its page kind doesn't have. */
export function unknownVariables(kind: PageKind, template: string): string[] {
  const known = templateVariables(kind);
  const named = [...template.matchAll(/%%([\w-]{1,80})%%/g)].map(([, name = '']) => name);
  return named.filter((name) => !known.includes(name));
}
