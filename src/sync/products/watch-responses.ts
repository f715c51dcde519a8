import { recordFailureAdvice, PRODUCT_HINTS, upstreamError, type UpstreamFailure } from '#client/upstream-error.ts';
import { SortimentError } from '#contracts/index.ts';
import { allowedCount } from '../guard/mass-changes.ts';
import type { SyncRun } from '../sync-options.ts';
import { type ProductRequest, type LanguageRequest, evaluateRecord, type ProductOutcome } from './evaluate-response.ts';
import { BodyError } from '#client/read-body.ts';
import { isNestedTooDeep } from '#client/classify-response.ts';
import type { ProductClient } from '#client/product-client.ts';

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

/** Maximum lines per listed record. A longer export is treated as endless. */
const MAX_LINES_PER_RECORD = 2;

/**
 * Reads records from the interface's export.
 * @param listed Number of records in the interface's list.
 * @returns Requests for records that the export lacks.
 */
export async function readExport(
  run: SyncRun,
  client: ProductClient,
  listRequests: readonly LanguageRequest[],
  { listed, onResult }: { listed: number; onResult: (request: LanguageRequest, evaluated: ProductOutcome) => void },
): Promise<LanguageRequest[]> {
  const pending = new Map(listRequests.map((request) => [`${request.gtin} ${request.language}`, request]));
  const answer = await client.exportLines();
  if (answer.outcome !== 'answered') return listRequests.slice();
  let lines = 0;
  try {
    for await (const line of answer.lines) {
      lines += 1;
      if (lines > listed * MAX_LINES_PER_RECORD) break;
      const record: unknown = JSON.parse(line);
      const key = keyOf(record);
      const request = pending.get(key);
      if (!request || isNestedTooDeep(record)) continue;
      pending.delete(key);
      onResult(request, evaluateRecord(run, request, record));
      if (pending.size === 0 || run.isSpent()) break;
    }
  } catch (error) {
    // Each line is independent: use what arrived and request the rest.
    if (!(error instanceof BodyError || error instanceof SyntaxError)) throw error;
    run.logger.debug(`The export ended early; ${pending.size} records are requested one by one.`);
  }
  return [...pending.values()];
}

function keyOf(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '';
  const { gtin, language } = record as Record<string, unknown>;
  return typeof gtin === 'string' && typeof language === 'string' ? `${gtin} ${language}` : '';
}
