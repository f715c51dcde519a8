import type { Catalogue } from './catalogue.ts';
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { episodePath, postPath } from '#catalogue/addresses/paths.ts';
import type { EpisodeRecord, PostRecord } from '#contracts/synced/index.ts';
import { CATALOGUE_LANGUAGES, makeCatalogue, type MakeCatalogueOptions } from './make-catalogue.ts';
import { makeEpisodes } from './make-episodes.ts';
import { makePosts } from './make-posts.ts';
import { measureProcess, type Measurement } from './measure-process.ts';
import { layOutHugo } from './peers/lay-out-hugo.ts';
import type { Builder } from './builders.ts';
import { readPaths } from './peers/read-facts.ts';

export interface CataloguePair {
  /** The same but for the price of one product in one language. */
  catalogues: [Catalogue, Catalogue];
  /** Root-relative paths of all product pages. */
  paths: string[];
  /** The page of the changed price. */
  changedPath: string;
  /** What it took to calculate the facts of the first. */
  calculated: Measurement;
}

const CHANGED_PRICE = 987.65;

/** The same catalogue with a picture for each product, and after that again and again with other bytes of one of them. */
export async function* makePicturedCatalogues(
  folder: string,
  { pages, changedPage }: { pages: number; changedPage: number },
): AsyncGenerator<Catalogue, never> {
  const [width, height] = [900, 600];
  const draw = (background: string): Promise<Buffer> =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();
  const usual = await draw('#336699');
  const changedProduct = Math.floor(changedPage / CATALOGUE_LANGUAGES.length);
  let before: string | undefined;
  for (let edition = 0; ; edition++) {
    const changed = await draw(`rgb(200, 100, ${edition % 256})`);
    const place = path.join(folder, `pictured-${edition}`);
    const catalogue = { snapshotPath: path.join(place, 'snapshot.sqlite'), assetsFolder: path.join(place, 'assets') };
    mkdirSync(place, { recursive: true });
    // As a sync goes on with the snapshot that there is.
    if (before !== undefined) copyFileSync(before, catalogue.snapshotPath);
    const pictureOf = (index: number) => ({ bytes: index === changedProduct ? changed : usual, width, height });
    makeCatalogue(catalogue.snapshotPath, { pages, pictures: { folder: catalogue.assetsFolder, pictureOf } });
    before = catalogue.snapshotPath;
    yield { ...catalogue, factsFolder: '', hugoFolder: '' };
  }
}

const ARTICLES = 1000;
const [LANGUAGE] = CATALOGUE_LANGUAGES;
/** The article that changes again and again. */
const CHANGED = ARTICLES / 2;

/** Catalogues that are one after the other in the same place, and what shows that they differ. */
export interface ChangingCatalogue {
  catalogues: AsyncGenerator<Catalogue, never>;
  changedPath: string;
}

/** The same catalogue with a podcast, and after that again and again with another title of one of its episodes. */
export function makePodcastCatalogues(folder: string, pages: number): ChangingCatalogue {
  const assetsFolder = path.join(folder, 'assets');
  return {
    changedPath: episodePath(LANGUAGE, `${LANGUAGE}-episode-${CHANGED}`),
    catalogues: changeAgain(folder, async (edition) => {
      const change = (record: EpisodeRecord, number: number): EpisodeRecord =>
        number === CHANGED ? { ...record, title: `${record.title}, edition ${edition}` } : record;
      return { pages, articles: await makeEpisodes([LANGUAGE], { count: ARTICLES, assetsFolder, change }) };
    }),
  };
}

/** The same with posts. */
export function makeJournalCatalogues(folder: string, pages: number): ChangingCatalogue {
  return {
    changedPath: postPath(LANGUAGE, `post-${CHANGED}`),
    catalogues: changeAgain(folder, async (edition) => {
      const change = (record: PostRecord, number: number): PostRecord =>
        number === CHANGED ? { ...record, title: `${record.title}, edition ${edition}` } : record;
      return { pages, articles: makePosts(ARTICLES, change) };
    }),
  };
}

/** The same catalogue again and again with another name of one of its products. */
export function makeRenamedCatalogues(folder: string, pages: number): AsyncGenerator<Catalogue, never> {
  return changeAgain(folder, async (edition) => ({
    pages,
    change: (record, page) => (page === 0 ? { ...record, name: `${record.name}, edition ${edition}` } : record),
  }));
}

/** As a sync goes on with the snapshot that there is. */
async function* changeAgain(
  folder: string,
  make: (edition: number) => Promise<MakeCatalogueOptions>,
): AsyncGenerator<Catalogue, never> {
  const assetsFolder = path.join(folder, 'assets');
  const snapshotPath = path.join(folder, 'snapshot.sqlite');
  mkdirSync(assetsFolder, { recursive: true });
  for (let edition = 1; ; edition++) {
    makeCatalogue(snapshotPath, await make(edition));
    yield { snapshotPath, assetsFolder, factsFolder: '', hugoFolder: '' };
  }
}

/** @param describer A project builder, whose project then holds the second catalogue. */
export async function makeCatalogues(
  folder: string,
  { pages, describer, withHugo, signal }: { pages: number; describer: Builder; withHugo: boolean; signal: AbortSignal },
): Promise<CataloguePair> {
  const changed = Math.floor(pages / 2);
  const [first, second] = (['first', 'second'] as const).map((name) => ({
    snapshotPath: path.join(folder, name, 'snapshot.sqlite'),
    factsFolder: path.join(folder, name, 'facts'),
    hugoFolder: path.join(folder, name, 'hugo'),
  }));
  if (!first || !second) throw new Error('A pair has two.');
  makeCatalogue(first.snapshotPath, { pages });
  mkdirSync(path.dirname(second.snapshotPath), { recursive: true });
  copyFileSync(first.snapshotPath, second.snapshotPath);
  makeCatalogue(second.snapshotPath, {
    pages,
    change: (record, page) => (page === changed ? { ...record, price: CHANGED_PRICE } : record),
  });
  const { file, cwd, env } = describer.command();
  const calculate = async (catalogue: Catalogue): Promise<Measurement> => {
    describer.take(catalogue);
    const args = ['scripts/bench/peers/write-facts.ts', catalogue.factsFolder];
    const { output: _, ...calculated } = await measureProcess({ file, args, cwd, env }, signal);
    if (withHugo) layOutHugo(catalogue.hugoFolder, catalogue.factsFolder);
    return calculated;
  };
  const calculated = await calculate(first);
  await calculate(second);
  const paths = readPaths(first.factsFolder);
  return { catalogues: [first, second], paths, changedPath: paths[changed] ?? '', calculated };
}
