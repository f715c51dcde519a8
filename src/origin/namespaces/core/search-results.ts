import { listSearchResults } from '#contracts/core/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { answerSearch } from './search-results/answer-search.ts';

/** Serves the search over all content that has a page, and over terms. */
export function serveSearch(registry: RouteRegistry): void {
  registry.serve(listSearchResults, answerSearch);
}
