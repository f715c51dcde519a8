import type { Catalogue } from './catalogue.ts';
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { makeCatalogue } from './make-catalogue.ts';
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
  /** What it took to reckon the facts of the first. */
  reckoned: Measurement;
}

const CHANGED_PRICE = 987.65;

/** The same catalogue with a picture for each product, and with other bytes of one of them. */
export async function makePicturedPair(
  folder: string,
  { pages, changedPage }: { pages: number; changedPage: number },
): Promise<[Catalogue, Catalogue]> {
  const [width, height] = [900, 600];
  const draw = (background: string): Promise<Buffer> =>
    sharp({ create: { width, height, channels: 3, background } })
      .png()
      .toBuffer();
  const [usual, changed] = [await draw('#336699'), await draw('#996633')];
  const make = (name: string, bytesOf: (index: number) => Buffer): Catalogue => {
    const [snapshotPath, assetsFolder] = ['snapshot.sqlite', 'assets'].map((file) => path.join(folder, name, file));
    if (!snapshotPath || !assetsFolder) throw new Error('There are two.');
    const pictureOf = (index: number) => ({ bytes: bytesOf(index), width, height });
    makeCatalogue(snapshotPath, { pages, pictures: { folder: assetsFolder, pictureOf } });
    return { snapshotPath, assetsFolder, factsFolder: '', hugoFolder: '' };
  };
  const before = make('pictured', () => usual);
  mkdirSync(path.join(folder, 'repictured'), { recursive: true });
  copyFileSync(before.snapshotPath, path.join(folder, 'repictured/snapshot.sqlite'));
  const index = Math.floor(changedPage / LANGUAGES);
  return [before, make('repictured', (other) => (other === index ? changed : usual))];
}

/** Of each product. */
const LANGUAGES = 3;

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
  const reckon = async (catalogue: Catalogue): Promise<Measurement> => {
    describer.take(catalogue);
    const args = ['scripts/bench/peers/write-facts.ts', catalogue.factsFolder];
    const { output: _, ...reckoned } = await measureProcess({ file, args, cwd, env }, signal);
    if (withHugo) layOutHugo(catalogue.hugoFolder, catalogue.factsFolder);
    return reckoned;
  };
  const reckoned = await reckon(first);
  await reckon(second);
  const paths = readPaths(first.factsFolder);
  return { catalogues: [first, second], paths, changedPath: paths[changed] ?? '', reckoned };
}
