import type { listPages } from '#contracts/core/routes.ts';
import type { RouteQuery } from '#contracts/index.ts';
import type { SearchTerms } from '#origin/platform/search/search-condition.ts';
import type { ContentType } from '#origin/platform/registry/content-kind.ts';
import type { Viewer } from './rights-condition.ts';

/** A condition on the terms of a post. */
export interface TermClause {
  /** Groups of equivalent IDs: a term, optionally with its descendants. */
  groups: readonly (readonly number[])[];
  operator: 'all' | 'any' | 'none';
}

/** Conditions of a list. Missing conditions and empty ID lists match all rows. */
export interface ContentFilter {
  /** Rows that the viewer may not see are neither listed, counted nor searched. */
  viewer: Viewer;
  /** One kind of content, or several. */
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
  /** MIME types, or main types with a slash: `image/`. */
  mimeTypes?: readonly string[];
  notMimeTypes?: readonly string[];
  /** Excludes site icons. */
  notSiteIcons?: boolean;
}

export interface ContentOrder {
  /** Includes all orders, as pages support most. */
  by: RouteQuery<typeof listPages>['orderby'];
  direction: 'asc' | 'desc';
  /** Direction by ID among equal rows. @default the direction */
  ties?: 'asc' | 'desc';
}
