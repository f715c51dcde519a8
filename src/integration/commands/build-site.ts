import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Settings } from '../../config/index.ts';
import { isSortimentError, SortimentError } from '../../contracts/index.ts';
import { checkSecurityContact } from '../check-security-contact.ts';
import { keepOffNetwork } from '../keep-off-network.ts';
import { knownAstro } from '../prerender/astro-internals.ts';
import { buildPlaces } from '../prerender/build-places.ts';
import { fingerprintProject } from '../prerender/fingerprint-project.ts';
import { readBundle } from '../prerender/kept-bundle.ts';
import { forgetBuilds } from '../prerender/forget-builds.ts';
import { lockBuild } from '../prerender/lock-build.ts';
import { choosePrerenderMode } from '../prerender/prerender-mode.ts';
import type { Shard } from '../prerender/shard.ts';
import type { BrokenDocument } from '../../snapshot/index.ts';
import { findBrokenDocuments, wordBrokenDocuments } from '../site/broken-documents.ts';
import { readState } from '../read-state.ts';

/** `kept bundle`: rendered with what an earlier build has kept. `stock`: by Astro alone, from an empty folder. */
export type BuildWay = 'kept bundle' | 'vite' | 'stock' | 'merge';

export interface BuildSiteOptions {
  /** Leave all of it to Astro, which is slow, and what bulk rendering is compared with. @default false */
  stock?: boolean;
  /** Render these pages only, to be merged with those of the other shards. */
  shard?: Shard | undefined;
  /** How many threads render pages. @default as many as there are cores, where there are pages enough */
  threads?: number | undefined;
  /** Is told why a build takes the long way, as the end of a sentence, before it does. */
  onLongWay?: (why: string) => void;
}

export interface BuiltSite {
  way: BuildWay;
  /** Why it went that way, as the end of a sentence. */
  why: string;
  /** What a person should know of, when Astro's logger has not said it. */
  warnings: string[];
  /** Documents that products name and that the last sync could not get. */
  brokenDocuments: BrokenDocument[];
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
 * Builds the site: with the bundle of an earlier build when only the snapshot has changed since, or else through
 * Astro's own interface.
 * @throws SortimentError BUILD_RUNNING, BUILD_FAILED with the place where it happened, or what a step of ours has
 *   thrown.
 */
export async function buildSite(
  settings: Settings,
  output: BuildOutput,
  { stock = false, shard, threads, onLongWay }: BuildSiteOptions = {},
): Promise<BuiltSite> {
  const started = performance.now();
  const lock = lockBuild(settings);
  const warnings: string[] = [];
  let way: BuildWay = stock ? 'stock' : 'vite';
  let why = stock ? 'you asked for it' : shard ? 'a shard starts from nothing' : whyVite(settings);
  try {
    if (why === undefined) {
      why = await rebuild(settings, warnings, threads);
      if (why === undefined) way = 'kept bundle';
    }
    if (way !== 'kept bundle') {
      onLongWay?.(why ?? '');
      await buildWithAstro(settings, output, { stock, shard, threads });
    }
  } catch (error) {
    throw isSortimentError(error) ? error : wordBuildError(error);
  } finally {
    lock.release();
  }
  warnings.push(...[checkSecurityContact(settings, new Date())].filter((warning) => warning !== undefined));
  const { digest, pages } = buildFile.parse(
    JSON.parse(await readFile(path.join(settings.distFolder, 'build.json'), 'utf8')),
  );
  const durationMs = Math.round(performance.now() - started);
  const brokenDocuments = findBrokenDocuments(settings);
  if (brokenDocuments.length > 0) warnings.push(wordBrokenDocuments(brokenDocuments));
  const reason = why ?? 'only the snapshot may have changed since the last build';
  return { digest, pages, durationMs, distFolder: settings.distFolder, way, why: reason, warnings, brokenDocuments };
}

/** Why a build needs Vite; undefined when the kept bundle is of this project as it is. */
function whyVite(settings: Settings): string | undefined {
  if (!existsSync(settings.snapshotPath)) return 'there is no snapshot yet';
  const bundle = readBundle(buildPlaces(settings).bundleFolder);
  if (!bundle) return 'no earlier build has kept a bundle';
  const { version, known } = knownAstro();
  if (!known || bundle.astro !== version) return `the kept bundle is not of Astro ${version}`;
  const fingerprint = fingerprintProject(settings, readState(settings).languages);
  return bundle.fingerprint === fingerprint ? undefined : 'source, configuration or languages have changed';
}

/** @returns Why it can't be done; undefined when it is. */
async function rebuild(
  settings: Settings,
  warnings: string[],
  threads: number | undefined,
): Promise<string | undefined> {
  keepOffNetwork();
  const { bundleFolder } = buildPlaces(settings);
  const bundle = readBundle(bundleFolder);
  if (!bundle) return 'no earlier build has kept a bundle';
  const { rebuildSite } = await import('../prerender/rebuild-site.ts');
  const logger = { info: () => undefined, warn: (message: string) => void warnings.push(message) };
  try {
    await rebuildSite(settings, { bundle, digest: readState(settings).digest, logger, threads });
    return undefined;
  } catch (error) {
    // Astro tells errors of pages better, with their place in the source; and what else it is, it may get over.
    warnings.length = 0;
    forgetBuilds(settings);
    return `with the kept bundle: ${error instanceof Error ? error.message : String(error)}`;
  }
}

async function buildWithAstro(
  { root }: Settings,
  output: BuildOutput,
  mode: Parameters<typeof choosePrerenderMode>[0],
): Promise<void> {
  const [{ build }, { hushAstro }] = await Promise.all([import('astro'), import('../hush-astro.ts')]);
  choosePrerenderMode(mode);
  if (output === 'summary') hushAstro();
  await build({ root, logLevel: output === 'errors' ? 'error' : 'info' });
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
    message: error.message
      // Marks of Markdown, and the stack of a plugin: nothing for who has written a wrong line.
      .replaceAll(/\*{4}: |\*\*/g, '')
      .replaceAll(/\n +at .*/g, ''),
    hint: typeof hint === 'string' ? hint : undefined,
    place: file === undefined ? '' : ` in ${file}${loc?.line === undefined ? '' : `:${loc.line}`}`,
  };
}
