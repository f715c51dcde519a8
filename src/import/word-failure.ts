import { isSortimentError, SortimentError, wordSystemError } from '#contracts/index.ts';
import { maskSecrets } from '#client/index.ts';

/** What is to be done where the client would speak of a sync. */
const AGAIN: Readonly<Record<string, string>> = {
  UPSTREAM_UNAVAILABLE:
    'See whether the site is well, then run the same command again: it goes on where this one ended.',
  UPSTREAM_THROTTLED: 'Wait a while, then run the same command again: it goes on where this one ended.',
};

/** What ended an import, in words that don't hold its secret. A fault of ours stays as it is. */
export function wordFailure(
  error: unknown,
  { secret, signal }: { secret: string; signal: AbortSignal | undefined },
): unknown {
  if (signal?.aborted) {
    return new SortimentError('IMPORT_STOPPED', 'The import was stopped. What was imported until then stays.', {
      hint: 'Run the same command again to continue.',
    });
  }
  if (!isSortimentError(error)) {
    const found = wordSystemError(error);
    if (!found?.isStorage) return error;
    const hint = `${found.hint} What was imported until then stays; run the same command again to continue.`;
    return new SortimentError(found.code, found.message, { hint, cause: error });
  }
  return new SortimentError(error.code, maskSecrets(error.message, [secret]), {
    hint: AGAIN[error.code] ?? error.hint,
  });
}
