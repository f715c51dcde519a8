import { isSortimentError, SortimentError, describeSystemError } from '#contracts/index.ts';
import { maskSecrets } from '#client/upstream-error.ts';

/** Hints that replace those of the client, which mention a sync. */
const AGAIN: Readonly<Record<string, string>> = {
  UPSTREAM_UNAVAILABLE: 'Check that the site is up, then run the same command again to continue.',
  UPSTREAM_THROTTLED: 'Wait a while, then run the same command again to continue.',
};

/** Describes the error that ended an import, with the secret masked. Unexpected errors are returned unchanged. */
export function describeImportError(
  error: unknown,
  { secret, signal }: { secret: string; signal: AbortSignal | undefined },
): unknown {
  if (signal?.aborted) {
    return new SortimentError('IMPORT_STOPPED', 'The import was stopped. Everything imported so far is kept.', {
      hint: 'Run the same command again to continue.',
    });
  }
  if (!isSortimentError(error)) {
    const found = describeSystemError(error);
    if (!found?.isStorage) return error;
    const hint = `${found.hint} Everything imported so far is kept. Run the same command again to continue.`;
    return new SortimentError(found.code, found.message, { hint, cause: error });
  }
  return new SortimentError(error.code, maskSecrets(error.message, [secret]), {
    hint: AGAIN[error.code] ?? error.hint,
  });
}
