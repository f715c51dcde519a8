import { adviseOnRecord, PRODUCT_HINTS, upstreamError, type FailedAnswer } from '#client/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { allowance } from '../guard/allowance.ts';
import type { SyncRun } from '../sync-run.ts';
import type { AskedProduct } from './evaluate-answer.ts';

export interface AnswerWatch {
  /** Why the run must stop requesting records. */
  readonly verdict: SortimentError | undefined;
  /** A record was answered as documented. */
  good(): void;
  /** A record was answered otherwise. */
  bad(answer: FailedAnswer): void;
}

/** After this many refusals of the credential without one good answer, it counts as refused. */
const MAX_REFUSALS_AT_FIRST = 3;
/** This many bad answers in a row are not bad records, because records are requested in shuffled order. */
const MAX_IN_A_ROW = 10;

/**
 * Distinguishes bad records from a bad server: one odd answer among good ones is a problem of that record, many are a
 * problem of the interface, and then nothing must be written.
 * @param total Records of the assortment in every language: if only some are requested, the share is still of all.
 * @param share Share of them that may fail; 1 for all.
 */
export function watchAnswers(total: number, share: number): AnswerWatch {
  const allowed = allowance(total, share);
  let answeredWell = 0;
  let failed = 0;
  let inARow = 0;
  let refusals = 0;
  let first: FailedAnswer | undefined;
  let verdict: SortimentError | undefined;

  const evaluate = (answer: FailedAnswer): string | undefined => {
    if (share >= 1 && answeredWell > 0) return undefined;
    if (answeredWell === 0 && refusals >= MAX_REFUSALS_AT_FIRST) return '';
    if (answeredWell === 0 && failed >= total) return '';
    if (failed > allowed) return `${failed} of ${total} records could not be read; at most ${allowed} may fail.`;
    if (inARow < MAX_IN_A_ROW || share >= 1) return undefined;
    return `${inARow} records in a row could not be read (${answer.detail}).`;
  };

  return {
    get verdict() {
      return verdict;
    },
    good: () => {
      answeredWell += 1;
      inARow = 0;
    },
    bad: (answer) => {
      first ??= answer;
      failed += 1;
      inARow += 1;
      refusals += answer.kind === 'unauthorised' ? 1 : 0;
      const why = evaluate(answer);
      if (why === undefined) return;
      const { code, message, hint } = upstreamError(why === '' ? first : answer, PRODUCT_HINTS);
      verdict ??= new SortimentError(code, why === '' ? message : `${why} The last one:\n${message}`, { hint });
    },
  };
}

/** Reports a record that was answered badly. */
export function reportUnread(
  run: SyncRun,
  { gtin: id, language }: AskedProduct,
  { answer, hasLastGood }: { answer: FailedAnswer; hasLastGood: boolean },
): void {
  const problem = `could not be read: ${answer.detail}`;
  const advice = adviseOnRecord(answer);
  const shown = answer.sample || undefined;
  run.issues.unreachable({ kind: 'product', id, language, field: '', problem, advice, shown, hasLastGood });
}
