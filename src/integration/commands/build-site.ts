import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'astro';
import { z } from 'zod';
import type { Settings } from '../../config/index.ts';
import { hushAstro } from '../hush-astro.ts';
import { isSortimentError, SortimentError } from '../../contracts/index.ts';

export interface BuiltSite {
  /** Of the snapshot that it shows. */
  digest: string;
  pages: number;
  durationMs: number;
  distFolder: string;
}

const buildFile = z.object({ digest: z.string(), pages: z.number() });

/** What is printed meanwhile: all that Astro says, what concerns a person, or errors only. */
export type BuildOutput = 'all' | 'summary' | 'errors';

/**
 * Builds the site through Astro's own interface.
 * @throws SortimentError BUILD_FAILED with the place where it happened, or what a step of ours has thrown.
 */
export async function buildSite(settings: Settings, output: BuildOutput): Promise<BuiltSite> {
  const started = performance.now();
  try {
    if (output === 'summary') hushAstro();
    await build({ root: settings.root, logLevel: output === 'errors' ? 'error' : 'info' });
  } catch (error) {
    throw isSortimentError(error) ? error : wordBuildError(error);
  }
  const { digest, pages } = buildFile.parse(
    JSON.parse(await readFile(path.join(settings.distFolder, 'build.json'), 'utf8')),
  );
  return { digest, pages, durationMs: Math.round(performance.now() - started), distFolder: settings.distFolder };
}

function wordBuildError(error: unknown): SortimentError {
  const { message, hint, place } = readAstroError(error);
  return new SortimentError('BUILD_FAILED', `The build failed${place}: ${message}`, {
    hint: hint ?? 'Run it with --verbose to see what Astro was doing.',
    cause: error,
  });
}

/** Astro's errors carry the file and line they are about, and often a hint. */
function readAstroError(error: unknown): { message: string; hint: string | undefined; place: string } {
  if (!(error instanceof Error)) return { message: String(error), hint: undefined, place: '' };
  const { hint, loc, id } = error as Error & { hint?: unknown; loc?: { file?: string; line?: number }; id?: unknown };
  const file = loc?.file ?? (typeof id === 'string' ? id : undefined);
  return {
    message: error.message,
    hint: typeof hint === 'string' ? hint : undefined,
    place: file === undefined ? '' : ` in ${file}${loc?.line === undefined ? '' : `:${loc.line}`}`,
  };
}
