import { SEARCH_SUBTYPES, listSearchResults, searchResult } from '#contracts/core/site-resources.ts';
import { getType } from '#contracts/core/routes.ts';
import { fillPath } from '#contracts/index.ts';
import { matchesContentSearch, orderContent } from '#origin/platform/content/find-content.ts';
import { getContentUrl, loadAncestors, type Ancestor, type TermRow } from '#origin/platform/content/content-url.ts';
import { allowedMethods } from '#origin/platform/content/present-content.ts';
import { presentFields, collection, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import { CONTENT_KINDS, type ContentRow, CATEGORY, TAG } from '#origin/platform/registry/content-kind.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { foldColumn } from '#origin/platform/search/search-condition.ts';
import { linkTerm, loadAncestorSlugs, matchesTermSearch, termUrl } from '../terms/terms.ts';
import { bytewise, findRows, matchesList, readWindow } from '#origin/platform/content/resources/find-rows.ts';
import { content, term } from '#origin/platform/store/schema.ts';
import { and, asc, eq, inArray } from 'drizzle-orm';

/** Returns one page of search results. Posts and pages are searched by default. */
export async function handleSearch(call: SearchCall): Promise<ResultOf<typeof listSearchResults>> {
  const { page, per_page: perPage, type, subtype } = call.query;
  const known: readonly string[] = SEARCH_SUBTYPES[type];
  const requested = known.filter((name) => subtype.some((sent) => sent === name || sent === 'any'));
  // Post formats have no pages and no subtypes, so a search for them is always empty.
  const { rows, total } = await (type === 'term' ? searchTerms(call, requested) : searchContent(call, requested));
  if (total > 0 && page > Math.ceil(total / perPage))
    throw call.refuse('rest_search_invalid_page_number', 'The page number exceeds the number of pages.');
  return collection(rows, total, { page, perPage });
}

/** Finds published posts and pages, ordered by relevance. Without a search text, all are listed by date. */
async function searchContent(call: SearchCall, types: string[]) {
  const { query, caller, context } = call;
  const { db } = context.store;
  const { rows, total } = await findRows(db, content, {
    where: and(
      inArray(content.type, types),
      eq(content.status, 'publish'),
      matchesList(content, query),
      matchesContentSearch(query.search, caller),
    ),
    orderBy: orderContent({ ...query, orderby: 'relevance', order: 'desc' }),
    window: readWindow(query),
  });
  const ancestors = await loadAncestors(db, rows);
  return { rows: rows.map((row) => presentRow(row, call, ancestors)), total };
}

function presentRow(row: ContentRow, call: SearchCall, ancestors: ReadonlyMap<number, Ancestor>) {
  const kind = CONTENT_KINDS[row.type === 'page' ? 'page' : 'post'];
  const href = (path: string) => call.addresses.rest(path);
  const parentOf = ({ parentId }: { parentId: number }) => ancestors.get(parentId);
  return presentFields(
    searchResult,
    {
      id: row.id,
      title: texturise(row.title),
      url: getContentUrl(row, { site: call.addresses.site, kinds: call.context.kinds }, ancestors),
      type: 'post',
      subtype: kind.type,
      _links: () => {
        const allow = allowedMethods(row, { call, kind, parentOf });
        return {
          self: [{ embeddable: true, href: href(`${kind.base}/${row.id}`), targetHints: { allow } }],
          about: [{ href: href(fillPath(getType.path, { type: kind.type })) }],
          collection: [{ href: href(listSearchResults.path) }],
        };
      },
    },
    { context: call.query.context, call },
  );
}

/** Finds categories and tags that match the search text, ordered by name. */
async function searchTerms(call: SearchCall, taxonomies: string[]) {
  const { query } = call;
  const { rows, total } = await findRows(call.context.store.db, term, {
    where: and(
      inArray(term.taxonomy, taxonomies),
      matchesList(term, query),
      query.search ? matchesTermSearch(query.search) : undefined,
    ),
    orderBy: [asc(bytewise(foldColumn(term.name))), asc(term.id)],
    window: readWindow(query),
  });
  const slugsAbove = await loadAncestorSlugs(call, rows);
  return { rows: rows.map((row) => presentTermRow(row, call, slugsAbove)), total };
}

function presentTermRow(row: TermRow, call: SearchCall, slugsAbove: (row: TermRow) => readonly string[]) {
  const kind = row.taxonomy === 'category' ? CATEGORY : TAG;
  return presentFields(
    searchResult,
    {
      id: row.id,
      title: row.name,
      url: termUrl(row, { call, kind, slugsAbove }),
      type: row.taxonomy,
      subtype: undefined,
      _links: () => {
        const { self = [], about = [] } = linkTerm(row, { call, kind });
        return {
          self: self.map((link) => ({ embeddable: true, ...link })),
          about,
          collection: [{ href: call.addresses.rest(listSearchResults.path) }],
        };
      },
    },
    { context: call.query.context, call },
  );
}

type SearchCall = Call<typeof listSearchResults>;
