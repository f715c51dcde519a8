import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import type { Settings } from '../../config/index.ts';
import { contentDates, type CollectionEntries } from '../../loaders/index.ts';
import { openSnapshot } from '../../snapshot/index.ts';
import { readImagePath } from '../images/image-path.ts';
import { finishSite } from '../site/finish-site.ts';
import type { SiteSurvey } from '../site/survey-pages.ts';
import { ledgerHeads, ledgerReferences, writeLedger, type FileReferences, type PageLedger } from './page-ledger.ts';
import type { PageWriter } from './page-writer.ts';
import { pruneSite, removeFiles } from './prune-site.ts';
import type { Shard } from './shard.ts';
import { SHARD_FILE, SHARD_LEDGER } from './shard-files.ts';
import { findReferences } from './survey-text.ts';

export interface FinishBuildOptions {
  /** Of the pages as they are now. */
  ledger: PageLedger;
  /** Of the last build; undefined when what that one has left can't be relied on. */
  previous: PageLedger | undefined;
  ledgerFile: string;
  writer: PageWriter;
  /** Of the snapshot that was built. */
  digest: string | undefined;
  logger: Pick<AstroIntegrationLogger, 'info' | 'warn'>;
  /** Entries of the collection `products`. */
  products: CollectionEntries | undefined;
  /** Whether Vite has just written its files and copied those of `public/`. */
  isNewBundle: boolean;
  /** Writes more into a folder, whose files are then put in place. */
  addTo?: (folder: string, pages: BuiltPages) => Promise<void>;
}

/** What the sitemap says of pages. */
export interface BuiltPages {
  heads: SiteSurvey['heads'];
  dates: Map<string, string>;
}

const BUILD_FILE = 'build.json';
const SITEMAP_PART = /^sitemap-\d+\.xml$/;
const TEXT = /\.(html|xml|json|css|js|txt)$/;

/** Puts what pages refer to in place, removes what nothing refers to any more, and closes the ledger. */
export async function finishBuild(settings: Settings, options: FinishBuildOptions): Promise<BuiltPages> {
  const { previous, ledgerFile, writer, digest, logger, isNewBundle } = options;
  const { distFolder } = settings;
  const fresh = isNewBundle ? newFiles(settings, writer.begunMs) : [];
  const ledger = isNewBundle
    ? { ...options.ledger, others: await surveyFiles(distFolder, fresh) }
    : { ...options.ledger };
  const present = ledgerReferences(ledger);
  const heads = ledgerHeads(ledger);
  // Their names say what is in them, so those of an earlier build are right if it has finished.
  const lacks = (place: string): boolean => previous === undefined || !existsSync(path.join(distFolder, place));
  const snapshot = openSnapshot(settings.snapshotPath, { readOnly: true });
  let pages: BuiltPages;
  try {
    const survey = {
      heads,
      images: present.images.filter(lacks).flatMap((place) => readImagePath(place) ?? []),
      documents: present.documents.filter(lacks),
    };
    const finished = await finishSite(settings, { distFolder: writer.folder, digest, survey, snapshot, logger });
    for (const pathname of finished.missing) logger.warn(`${pathname} is linked, but not in the snapshot.`);
    for (const { path: place, reason } of finished.images.failed) logger.warn(`${place} could not be made: ${reason}.`);
    logger.info(`${finished.images.total} images (${finished.images.made} new), ${finished.documents} documents`);
    pages = { heads, dates: contentDates(snapshot, settings.options, options.products) };
  } finally {
    snapshot.close();
  }
  await options.addTo?.(writer.folder, pages);
  const finished = filesIn(writer.folder).filter((file) => file !== BUILD_FILE);
  for (const file of finished) writer.place(file);
  const expected = new Set([...ledger.pages.keys(), ...fresh, ...placesOf(present), BUILD_FILE]);
  if (isNewBundle || previous === undefined) {
    for (const file of filesIn(path.join(settings.root, 'public'))) expected.add(file);
    pruneSite(distFolder, expected, writer.begunMs);
  } else {
    const sitemaps = readdirSync(distFolder).filter((file) => SITEMAP_PART.test(file) && !finished.includes(file));
    const before = [...previous.pages.keys(), ...placesOf(ledgerReferences(previous)), ...sitemaps];
    removeFiles(
      distFolder,
      before.filter((file) => !expected.has(file)),
    );
  }
  writer.place(BUILD_FILE);
  writer.close();
  writeLedger(ledgerFile, { ...ledger, complete: true });
  return pages;
}

/** Leaves a shard as it is to be merged: its pages and what Vite has made, without what all pages together need. */
export async function finishShard(
  settings: Settings,
  { ledger, writer, digest, shard }: Pick<FinishBuildOptions, 'ledger' | 'writer' | 'digest'> & { shard: Shard },
): Promise<BuiltPages> {
  const { distFolder } = settings;
  const others = await surveyFiles(distFolder, newFiles(settings, writer.begunMs));
  writeLedger(path.join(distFolder, SHARD_LEDGER), { ...ledger, others, complete: true });
  const heads = ledgerHeads(ledger);
  writeFileSync(path.join(distFolder, BUILD_FILE), `${JSON.stringify({ digest, pages: heads.size })}\n`);
  writeFileSync(path.join(distFolder, SHARD_FILE), `${JSON.stringify(shard)}\n`);
  writer.close();
  return { heads, dates: new Map() };
}

/** Files of a built site with slashes, relative to its folder; hidden ones are none of it. */
export function siteFiles(folder: string): string[] {
  return filesIn(folder).filter((file) => !file.startsWith('.'));
}

/** What Vite has made and copied in this build. */
function newFiles({ root, distFolder }: Settings, begunMs: number): string[] {
  const assets = filesIn(path.join(distFolder, '_astro'), begunMs).map((file) => `_astro/${file}`);
  return [...assets, ...filesIn(path.join(root, 'public'))];
}

async function surveyFiles(distFolder: string, files: readonly string[]): Promise<FileReferences> {
  const texts = files.filter((file) => TEXT.test(file)).map((file) => readFile(path.join(distFolder, file), 'utf8'));
  const found = (await Promise.all(texts)).map(findReferences);
  return {
    images: found.flatMap(({ images }) => images),
    documents: found.flatMap(({ documents }) => documents),
    // Those of this build are what it has made; what they refer to is among them.
    assets: files.filter((file) => file.startsWith('_astro/')).map((file) => `/${file}`),
  };
}

function placesOf({ images, documents, assets }: FileReferences): string[] {
  return [...images, ...documents, ...assets].map((place) => place.slice(1));
}

/** Files below a folder with slashes, relative to it; none when there is no such folder. */
function filesIn(folder: string, sinceMs = 0): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => sinceMs === 0 || statSync(file).mtimeMs >= sinceMs)
    .map((file) => path.relative(folder, file).split(path.sep).join('/'));
}
