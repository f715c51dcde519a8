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

/** One broken record must not stop thousands; a server that is down must not pass for many broken records. */
export function countFailures(run: SyncRun, asked: number): FailureCount {
  const allowed = Math.max(1, Math.floor(asked * run.settings.options.sync.guard.failed));
  let failed = 0;
  return {
    add({ gtin: id, language }, answer) {
      failed += 1;
      const problem = `could not be read: ${answer.detail}`;
      run.issues.unreachable({ kind: 'product', id, language, field: '', problem });
      if (failed <= allowed && asked > 1) return;
      const { code, message, hint } = upstreamError(answer);
      const share = `${failed} of ${asked} records could not be read; at most ${allowed} may fail.`;
      throw new SortimentError(code, asked > 1 ? `${share} The last one:\n${message}` : message, { hint });
    },
  };
}
