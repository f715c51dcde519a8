import { upstreamError, type FailedAnswer } from '../../client/index.ts';
import { SortimentError } from '../../contracts/index.ts';
import type { SyncRun } from '../sync-run.ts';
import type { AskedProduct } from './judge-answer.ts';

export interface FailureCount {
  /**
   * Writes down a record whose request failed for good.
   * @throws SortimentError UPSTREAM_UNAVAILABLE or UPSTREAM_THROTTLED when more have failed than may.
   */
  add(asked: AskedProduct, answer: FailedAnswer): void;
}

/**
 * One broken record must not stop thousands; a server that is down must not pass for many broken records.
 * @param total Records of the assortment in every language: where only some of them have to be asked for, the broken
 *   ones among them are no more than before.
 */
export function countFailures(run: SyncRun, total: number): FailureCount {
  const allowed = Math.max(1, Math.floor(total * run.settings.options.sync.guard.failed));
  let failed = 0;
  return {
    add({ gtin: id, language }, answer) {
      failed += 1;
      const problem = `could not be read: ${answer.detail}`;
      run.issues.unreachable({ kind: 'product', id, language, field: '', problem });
      if (failed <= allowed && total > 1) return;
      const { code, message, hint } = upstreamError(answer);
      const share = `${failed} of ${total} records could not be read; at most ${allowed} may fail.`;
      throw new SortimentError(code, total > 1 ? `${share} The last one:\n${message}` : message, { hint });
    },
  };
}
