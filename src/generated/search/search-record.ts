import type { SearchKind, SearchMeta } from '#catalogue/addresses/search-files.ts';

/** What the search knows of a page. */
export interface SearchRecord {
  kind: SearchKind;
  path: string;
  meta: SearchMeta;
  /** Everything that it is found by, besides what `meta` says. */
  text: string;
}
