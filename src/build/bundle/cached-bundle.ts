import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync, existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { z } from 'zod';
import type { CollectionEntries } from '#catalogue/site/render-context.ts';
import { bundleState, findStoreModule, storeModuleSource } from './astro-internals.ts';
import { bundleSources } from './sources.ts';
import { replaceFile } from '#files/replace-file.ts';

const cachedBundle = z.object({
  fingerprint: z.string(),
  state: bundleState,
  /** Sources that the fingerprint covers. */
  sources: bundleSources,
  /** `Settings.ownBase` of the build that created it. */
  ownBase: z.string().optional(),
  /** Why Astro has to render the pages although this bundle is cached, worded as the end of a sentence. */
  unusable: z.string().optional(),
});

/** A bundle that renders pages, cached by a build with Vite for builds without. */
export type CachedBundle = z.output<typeof cachedBundle> & {
  /** Collections of the project, which don't come from the snapshot. */
  collections: ReadonlyMap<string, CollectionEntries>;
};

const FILE = 'bundle.json';
const COLLECTIONS = 'collections-of-project.v8';

/**
 * Caches a bundle of the project at `root`. Call it before Astro removes its own copy.
 *
 * @throws Error if it can't be cached.
 */
export function cacheBundle(
  folder: string,
  source: string,
  options: Pick<CachedBundle, 'fingerprint' | 'sources' | 'state' | 'ownBase'> & {
    root: string;
    collections: Map<string, CollectionEntries>;
  },
): void {
  dropBundle(folder);
  const { root, collections, ...metadata } = options;
  const store = findStoreModule(source);
  if (store === undefined) throw new Error('its content store was not found');
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(path.dirname(folder), { recursive: true });
  linkPackages(path.dirname(folder), root);
  cpSync(source, unfinished, { recursive: true });
  writeFileSync(path.join(unfinished, store), storeModuleSource(store, metadata.state));
  writeFileSync(path.join(unfinished, COLLECTIONS), serialize(collections));
  writeFileSync(path.join(unfinished, FILE), JSON.stringify(metadata));
  renameSync(unfinished, folder);
}

/** Holds the scripts, styles and fonts that Vite has generated for the site. */
export const siteFolder = (folder: string): string => path.join(folder, 'site');

/** Copies Vite's files of the site into a bundle, so that later builds and other checkouts need no Vite. */
export function saveSiteFiles(folder: string, distFolder: string, files: readonly string[]): void {
  const unfinished = `${siteFolder(folder)}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished);
  for (const file of files) cpSync(path.join(distFolder, file), path.join(unfinished, file));
  renameSync(unfinished, siteFolder(folder));
}

/** Stores the reason why a bundle is unusable for the next build. */
export async function markUnusable(folder: string, unusable: string): Promise<void> {
  const bundle = readBundle(folder);
  if (!bundle) return;
  const { collections: _, ...metadata } = bundle;
  await replaceFile(path.join(folder, FILE), JSON.stringify({ ...metadata, unusable }));
}

export function readBundle(folder: string): CachedBundle | undefined {
  try {
    const bundle = cachedBundle.parse(JSON.parse(readFileSync(path.join(folder, FILE), 'utf8')));
    const collections = deserialize(readFileSync(path.join(folder, COLLECTIONS))) as CachedBundle['collections'];
    return { ...bundle, collections };
  } catch {
    return undefined;
  }
}

export function dropBundle(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Lets files in a folder outside of the project resolve the project's packages, which Node looks up in parent folders.
 * Does nothing for folders inside the project.
 */
export function linkPackages(folder: string, root: string): void {
  const packages = findPackages(root);
  if (packages === undefined || isBelow(folder, path.dirname(packages))) return;
  const link = path.join(folder, 'node_modules');
  mkdirSync(folder, { recursive: true });
  rmSync(link, { recursive: true, force: true });
  symlinkSync(packages, link, 'junction');
}

/** Finds the packages of a project, or of the workspace it belongs to. */
function findPackages(root: string): string | undefined {
  const packages = path.join(root, 'node_modules');
  if (existsSync(path.join(packages, 'astro'))) return packages;
  const above = path.dirname(root);
  return above === root ? undefined : findPackages(above);
}

function isBelow(folder: string, root: string): boolean {
  const relative = path.relative(root, folder);
  return !relative.startsWith('..') && !path.isAbsolute(relative);
}
