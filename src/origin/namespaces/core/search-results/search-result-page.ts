import type { z } from 'zod';
import type { listSearchResults, searchResult } from '#contracts/core/search.ts';
import type { Call, SelectedFields } from '#origin/platform/http/transport/index.ts';

export type SearchCall = Call<typeof listSearchResults>;

export interface SearchResultPage {
  rows: SelectedFields<z.input<typeof searchResult>>[];
  /** Number of results on all pages. */
  total: number;
}
