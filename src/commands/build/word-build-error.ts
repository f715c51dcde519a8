import path from 'node:path';
import { isSortimentError, SortimentError, wordSystemError } from '#contracts/index.ts';

/** What has ended a build as a person should read it: with the place where it happened, as far as Astro knows it. */
export function wordBuildError(error: unknown): SortimentError {
  if (isSortimentError(error)) return error;
  const found = wordSystemError(error);
  if (found?.isStorage) {
    return new SortimentError('BUILD_FAILED', `The build failed: ${found.why}.`, {
      hint: 'Free some space where dist/ and SORTIMENT_HOME lie (`npm run doctor` says how much there is), then build again: it writes what is missing. The snapshot is as it was.',
      cause: error,
    });
  }
  const { message, hint, place } = readAstroError(error);
  return new SortimentError('BUILD_FAILED', `The build failed${place}: ${message}`, {
    hint: hint ?? 'Correct what is named here, then build again; --verbose shows what Astro was doing.',
    cause: error,
  });
}

/** Astro's errors carry the file and line they are about, and often a hint. */
function readAstroError(error: unknown): { message: string; hint: string | undefined; place: string } {
  if (!(error instanceof Error)) return { message: String(error), hint: undefined, place: '' };
  const { hint, loc, id } = error as Error & { hint?: unknown; loc?: { file?: string; line?: number }; id?: unknown };
  const file = loc?.file ?? (typeof id === 'string' ? id : undefined);
  return {
    message: error.message
      // What the bundler says around the error itself.
      .replace(/^Build failed with \d+ errors?:\s*/, '')
      .replaceAll(/^\[plugin [^\]]*\] */gm, '')
      // Marks of Markdown, and the stack of a plugin: nothing for who has written a wrong line.
      .replaceAll(/\*{4}: |\*\*/g, '')
      .replaceAll(/\n +at .*/g, '')
      .replaceAll(`${process.cwd()}${path.sep}`, '')
      .replace(/^\w+ → \S+ data does not match collection schema\.\s*/, '')
      .trimEnd(),
    // A page of Astro's about collections in general doesn't help who has written a wrong word.
    hint: typeof hint === 'string' && !/^See https?:\S+ for more information/.test(hint) ? hint : undefined,
    // Line 0 is that of a file whose place isn't known.
    place: file === undefined ? '' : ` in ${shorten(file)}${loc?.line ? `:${loc.line}` : ''}`,
  };
}

/** As a person in the project's folder would name it. */
function shorten(file: string): string {
  const relative = path.relative(process.cwd(), file);
  return path.isAbsolute(file) && !relative.startsWith('..') ? relative : file;
}
