import { recordFailureAdvice, PRODUCT_HINTS, upstreamError, type UpstreamFailure } from '#client/upstream-error.ts';
import { SortimentError } from '#contracts/index.ts';
import { allowedCount } from '../guard/mass-changes.ts';
import type { SyncRun } from '../sync-options.ts';
import type { ProductRequest } from './evaluate-response.ts';

export interface ResponseWatch {
  /** Why the run must stop requesting records; undefined while it may continue. */
  readonly verdict: SortimentError | undefined;
  /** Counts a response as documented. */
  good(): void;
  /** Counts any other response. */
  bad(answer: UpstreamFailure): void;
}

/** After this many rejections without a good response, the credential counts as rejected. */
const MAX_REFUSALS_AT_FIRST = 3;
/** So many failures in a row indicate a failing server, because requests are shuffled. */
const MAX_IN_A_ROW = 10;

/**
 * Distinguishes bad records from a failing server. Few failures are problems of single records. Many are a problem of
 * the interface, and then nothing may be written.
 * @param total Number of records of the assortment in all languages, even if only some are requested.
 * @param share Share of them that may fail; 1 for all.
 */
export function watchResponses(total: number, share: number): ResponseWatch {
  const allowed = allowedCount(total, share);
  let succeeded = 0;
  let failed = 0;
  let inARow = 0;
  let rejections = 0;
  let first: UpstreamFailure | undefined;
  let verdict: SortimentError | undefined;

  const evaluate = (answer: UpstreamFailure): string | undefined => {
    if (share >= 1 && succeeded > 0) return undefined;
    if (succeeded === 0 && rejections >= MAX_REFUSALS_AT_FIRST) return '';
    if (succeeded === 0 && failed >= total) return '';
    if (failed > allowed) return `${failed} of ${total} records could not be read; at most ${allowed} may fail.`;
    if (inARow < MAX_IN_A_ROW || share >= 1) return undefined;
    return `${inARow} records in a row could not be read (${answer.detail}).`;
  };

  return {
    get verdict() {
      return verdict;
    },
    good: () => {
      succeeded += 1;
      inARow = 0;
    },
    bad: (answer) => {
      first ??= answer;
      failed += 1;
      inARow += 1;
      rejections += answer.kind === 'unauthorised' ? 1 : 0;
      const why = evaluate(answer);
      if (why === undefined) return;
      const { code, message, hint } = upstreamError(why === '' ? first : answer, PRODUCT_HINTS);
      verdict ??= new SortimentError(code, why === '' ? message : `${why} Last error:\n${message}`, { hint });
    },
  };
}

/** Reports a record that could not be read. */
export function reportUnreadProduct(
  run: SyncRun,
  { gtin: id, language }: ProductRequest,
  { answer, hasLastGood }: { answer: UpstreamFailure; hasLastGood: boolean },
): void {
  const problem = `could not be read: ${answer.detail}`;
  const advice = recordFailureAdvice(answer);
  const shown = answer.sample || undefined;
  run.issues.unreachable({ kind: 'product', id, language, field: '', problem, advice, shown, hasLastGood });
}
