import { productPath } from '#catalogue/addresses/paths.ts';
import { normQuery } from '#catalogue/norms/norm-base.ts';
import type { SearchKind } from '#catalogue/addresses/search-files.ts';
import { openNumbers } from './load-numbers.ts';
import { numberQuery, type NumberQuery } from './number-query.ts';
import { openPagefind, type TextHit } from './open-pagefind.ts';
import { toHit } from './show-hits.ts';

export interface FoundHits {
  /** Path of the one product that has the number, which is then all that is asked for. */
  only: string | undefined;
  count: number;
  /** What is wrong with the number. */
  problem: NumberQuery['problem'];
  /** Reads some of the hits, in their order. */
  hits(from: number, to: number): Promise<TextHit[]>;
}

/** @returns Searches by number and in texts; what that takes is loaded when it is first needed. */
export function openFinder(language: string): (query: string, kind: SearchKind | undefined) => Promise<FoundHits> {
  const findNumbers = openNumbers(language);
  let texts: ReturnType<typeof openPagefind> | undefined;
  const openTexts = (): ReturnType<typeof openPagefind> => {
    texts ??= openPagefind(language);
    // What could not be had is asked for again.
    texts.catch(() => (texts = undefined));
    return texts;
  };
  return async (query, kind) => {
    const number = kind === undefined || kind === 'product' ? numberQuery(query) : undefined;
    const { exact, partial } = number ? await findNumbers(number) : { exact: [], partial: [] };
    const [only] = exact;
    const first = [...exact, ...partial].map((row) => toHit(row, language));
    const known = new Set(first.map(({ url }) => url));
    // Digits alone stand in no text that their numbers don't lead to.
    const isEnough = first.length > 0 && number?.digits !== undefined;
    const found = isEnough ? undefined : await (await openTexts())(normQuery(query), kind);
    const rest = found && known.size > 0 ? await found.hits(0, Math.min(found.count, MAX_MIXED)) : undefined;
    const mixed = rest && [...first, ...rest.filter(({ url }) => !known.has(url))];
    const list = found ? mixed : first;
    return {
      only: exact.length === 1 && only ? productPath(language, only.slug) : undefined,
      problem:
        exact.length > 0 || (number?.problem === 'check-digit' && partial.length > 0) ? undefined : number?.problem,
      count: list?.length ?? found?.count ?? 0,
      hits: async (from, to) => (list ? list.slice(from, to) : ((await found?.hits(from, to)) ?? [])),
    };
  };
}

/** Hits of the text search that are told from those of numbers. */
const MAX_MIXED = 40;
