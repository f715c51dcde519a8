import { listSearchResults } from '#contracts/core/index.ts';
import type { Call } from '#origin/platform/http/transport/index.ts';

export type SearchCall = Call<typeof listSearchResults>;

/** A page of what was found, and how much there is. */
export interface Found {
  rows: Record<string, unknown>[];
  total: number;
}
