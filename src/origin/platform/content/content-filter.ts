import type { listPages } from '#contracts/core/index.ts';
import type { RouteQuery } from '#contracts/index.ts';
import type { SearchTerms } from '#origin/platform/search/index.ts';
import type { ContentType } from '#origin/platform/registry/content-kind.ts';
import type { Viewer } from './rights-condition.ts';

/** Posts with all, any or none of some terms. */
export interface TermClause {
  /** Groups of ids that stand for one another: a term, or a term with those below it. */
  groups: readonly (readonly number[])[];
  operator: 'all' | 'any' | 'none';
}

/** Which rows a list holds. What is left out does not narrow it; an empty list of ids does not either. */
export interface ContentFilter {
  /** Rows that they may not see are neither listed nor counted, and a search does not look into them. */
  viewer: Viewer;
  /** One kind of content, or several in one list. */
  type: ContentType | 'revision' | readonly ContentType[];
  statuses: readonly string[];
  authors?: readonly number[];
  notAuthors?: readonly number[];
  ids?: readonly number[];
  notIds?: readonly number[];
  parents?: readonly number[];
  notParents?: readonly number[];
  menuOrder?: number | undefined;
  slugs?: readonly string[];
  /** Site times, compared strictly. */
  after?: string | undefined;
  before?: string | undefined;
  modifiedAfter?: string | undefined;
  modifiedBefore?: string | undefined;
  search?: SearchTerms | undefined;
  searchColumns?: RouteQuery<typeof listPages>['search_columns'];
  searchExactly?: boolean;
  sticky?: boolean | undefined;
  formats?: readonly string[];
  terms?: readonly TermClause[];
  termRelation?: 'AND' | 'OR';
  /** MIME types, or their first halves with a slash: `image/`. */
  mimeTypes?: readonly string[];
  notMimeTypes?: readonly string[];
  /** Leaves out icons of the site. */
  notSiteIcons?: boolean;
}

export interface ContentOrder {
  /** Pages can be ordered by whatever other content can, and by more. */
  by: RouteQuery<typeof listPages>['orderby'];
  direction: 'asc' | 'desc';
  /** Where rows that are equal otherwise go by id. @default the direction */
  ties?: 'asc' | 'desc';
}
