import path from 'node:path';
import { isSortimentError, SortimentError, describeSystemError } from '#contracts/index.ts';

/** Formats the error that ended a build for the user, with its location if Astro provides one. */
export function toBuildError(error: unknown): SortimentError {
  if (isSortimentError(error)) return error;
  const found = describeSystemError(error);
  if (found?.isStorage) {
    return new SortimentError('BUILD_FAILED', `The build failed: ${found.why}.`, {
      hint: 'Free disk space for dist/ and SORTIMENT_HOME (`npm run doctor` shows how much is left), then build again. The snapshot is unchanged.',
      cause: error,
    });
  }
  const { message, hint, place } = readAstroError(error);
  return new SortimentError('BUILD_FAILED', `The build failed${place}: ${message}`, {
    hint: hint ?? "Correct the error and build again; --verbose shows Astro's log.",
    cause: error,
  });
}

function readAstroError(error: unknown): { message: string; hint: string | undefined; place: string } {
  if (!(error instanceof Error)) return { message: String(error), hint: undefined, place: '' };
  const { hint, loc, id } = error as Error & { hint?: unknown; loc?: { file?: string; line?: number }; id?: unknown };
  const file = loc?.file ?? (typeof id === 'string' ? id : undefined);
  return {
    message: error.message
      // Prefixes of the bundler.
      .replace(/^Build failed with \d+ errors?:\s*/, '')
      .replaceAll(/^\[plugin [^\]]*\] */gm, '')
      // Markdown markup and the stack of a plugin.
      .replaceAll(/\*{4}: |\*\*/g, '')
      .replaceAll(/\n +at .*/g, '')
      .replaceAll(`${process.cwd()}${path.sep}`, '')
      .replace(/^\w+ → \S+ data does not match collection schema\.\s*/, '')
      .trimEnd(),
    // A link to Astro's page about collections in general doesn't help.
    hint: typeof hint === 'string' && !/^See https?:\S+ for more information/.test(hint) ? hint : undefined,
    // Line 0 means that the line is unknown.
    place: file === undefined ? '' : ` in ${shorten(file)}${loc?.line ? `:${loc.line}` : ''}`,
  };
}

function shorten(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return path.isAbsolute(file) && !relative.startsWith('..') ? relative : file;
}
