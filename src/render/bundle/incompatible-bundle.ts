import { isSortimentError, messageOf, SortimentError } from '#contracts/index.ts';

const CODE = 'BUNDLE_INCOMPATIBLE';

/** Says that pages can't be rendered without Astro's build. @param reason The end of a sentence. */
export function incompatibleBundle(reason: string): SortimentError {
  return new SortimentError(CODE, `The cached bundle can't be used: ${reason}.`, {
    hint: 'Build with Vite.',
    cause: reason,
  });
}

/** Why a bundle is incompatible, if that is what was thrown. */
export function whyIncompatible(error: unknown): string | undefined {
  return isSortimentError(error) && error.code === CODE ? String(error.cause ?? error.message) : undefined;
}

/** For what goes wrong while a bundle is loaded. */
export function refuseBundle(error: unknown): never {
  if (whyIncompatible(error) !== undefined) throw error;
  throw incompatibleBundle(`its modules can't be loaded (${messageOf(error)})`);
}
