import { listSearchResults, searchResult } from '#contracts/core/search.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import { findTerms, type TermWithCount } from '../terms/find-terms.ts';
import { loadAncestorSlugs } from '../terms/read-terms.ts';
import { linkTerm, termUrl, type TermView } from '../terms/present-term.ts';
import { CATEGORY, TAG } from '#origin/platform/registry/content-kind.ts';
import type { z } from 'zod';
import type { Call, SelectedFields } from '#origin/platform/http/transport/call.ts';

/** Finds categories and tags that match the search text, ordered by name. */
export async function searchTerms(
  call: SearchCall,
  taxonomy: readonly ('category' | 'post_tag')[],
): Promise<SearchResultPage> {
  if (taxonomy.length === 0) return { rows: [], total: 0 };
  const { search, include, exclude, page, per_page: perPage } = call.query;
  const filter = { taxonomy, ids: include, notIds: include.length > 0 ? [] : exclude, search };
  const order = { by: 'name', direction: 'asc' } as const;
  const window = { limit: perPage, offset: (page - 1) * perPage };
  const { rows, total } = await findTerms(call.context.store.db, filter, order, window);
  const slugsAbove = await loadAncestorSlugs(call, rows);
  return { rows: rows.map((row) => presentRow(row, call, slugsAbove)), total };
}

function presentRow(row: TermWithCount, call: SearchCall, slugsAbove: TermView['slugsAbove']) {
  const kind = row.taxonomy === 'category' ? CATEGORY : TAG;
  return presentFields(
    searchResult,
    {
      id: () => row.id,
      title: () => row.name,
      url: () => termUrl(row, { call, kind, slugsAbove }),
      type: () => row.taxonomy,
      subtype: () => undefined,
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

export type SearchCall = Call<typeof listSearchResults>;

export interface SearchResultPage {
  rows: SelectedFields<z.input<typeof searchResult>>[];
  /** Number of results on all pages. */
  total: number;
}
