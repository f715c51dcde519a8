import type { Found, SearchCall } from './found.ts';
import { SEARCHED, type listSearchResults } from '#contracts/core/index.ts';
import { collection, type AnswerOf } from '#origin/platform/http/transport/index.ts';
import { searchContent } from './search-content.ts';
import { searchTerms } from './search-terms.ts';

/** The kinds of one type that were asked for. */
export type Wanted<T extends keyof typeof SEARCHED> = (typeof SEARCHED)[T][number][];

/** One page of whatever holds the words, posts and pages unless terms are asked for. */
export async function answerSearch(call: SearchCall): Promise<AnswerOf<typeof listSearchResults>> {
  const { page, per_page: perPage } = call.query;
  const { rows, total } = await find(call);
  if (total > 0 && page > Math.ceil(total / perPage))
    throw call.refuse('rest_search_invalid_page_number', 'There are not that many pages.');
  return collection(rows, total, { page, perPage });
}

/** Formats have no pages of their own: none is ever found. */
async function find(call: SearchCall): Promise<Found> {
  const { type } = call.query;
  if (type === 'post') return searchContent(call, wanted(call, SEARCHED.post));
  if (type === 'term') return searchTerms(call, wanted(call, SEARCHED.term));
  return { rows: [], total: 0 };
}

function wanted<T extends string>({ query }: SearchCall, kinds: readonly T[]): T[] {
  const asked: readonly string[] = query.subtype;
  return kinds.filter((kind) => asked.includes('any') || asked.includes(kind));
}
