import type { contentListQuery, listMedia } from '#contracts/core/index.ts';
import type { z } from 'zod';
import type { RouteQuery } from '#contracts/index.ts';
import { normaliseSlug } from './normalise-slug.ts';
import { parseSearch } from '#origin/platform/search/index.ts';
import { readWireTime } from '#origin/platform/site/index.ts';
import type { ContentFilter } from './content-filter.ts';
import type { ContentType } from '#origin/platform/registry/content-kind.ts';
import type { Caller } from '#origin/platform/http/callers/index.ts';

type ListQuery = Omit<z.output<typeof contentListQuery>, 'author' | 'author_exclude'> | RouteQuery<typeof listMedia>;

/** What all lists of content are asked in the same words. */
export type SharedQuery = Pick<ListQuery, keyof ListQuery>;

/** What has no page is not asked about authors. */
type AuthorQuery = Partial<Pick<z.output<typeof contentListQuery>, 'author' | 'author_exclude'>>;

/** The part of a list's filter that its kinds share. */
export function sharedFilter(
  type: ContentType,
  query: SharedQuery & AuthorQuery,
  { timeZone, caller }: { timeZone: string; caller: Caller },
): ContentFilter {
  const siteTime = (text: string | undefined) => (text === undefined ? undefined : readWireTime(text, timeZone));
  const search = query.search === undefined ? undefined : parseSearch(query.search);
  return {
    type,
    viewer: { caller, as: query.context === 'edit' ? 'editor' : 'reader' },
    statuses: query.status,
    authors: query.author ?? [],
    notAuthors: query.author_exclude ?? [],
    ids: query.include,
    notIds: query.exclude,
    slugs: (query.slug ?? []).map(normaliseSlug),
    after: siteTime(query.after),
    before: siteTime(query.before),
    modifiedAfter: siteTime(query.modified_after),
    modifiedBefore: siteTime(query.modified_before),
    search,
    searchColumns: query.search_columns,
    searchExactly: query.search_semantics === 'exact',
  };
}
