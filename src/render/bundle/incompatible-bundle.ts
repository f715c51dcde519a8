import { isSortimentError, getErrorMessage, SortimentError } from '#contracts/index.ts';

const CODE = 'BUNDLE_INCOMPATIBLE';

/**
 * Creates the error for a bundle that can't render pages without Astro's build.
 *
 * @param reason Worded as the end of a sentence.
 */
export function createIncompatibleError(reason: string): SortimentError {
  return new SortimentError(CODE, `The cached bundle can't be used: ${reason}.`, {
    hint: 'Build with Vite.',
    cause: reason,
  });
}

/** Returns the reason of a BUNDLE_INCOMPATIBLE error; undefined for other errors. */
export function incompatibilityReason(error: unknown): string | undefined {
  return isSortimentError(error) && error.code === CODE ? String(error.cause ?? error.message) : undefined;
}

/** Rethrows an error of loading a bundle as BUNDLE_INCOMPATIBLE. */
export function throwIncompatible(error: unknown): never {
  if (incompatibilityReason(error) !== undefined) throw error;
  throw createIncompatibleError(`its modules can't be loaded (${getErrorMessage(error)})`);
}
