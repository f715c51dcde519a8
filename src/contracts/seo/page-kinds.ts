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
