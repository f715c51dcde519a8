import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gtinCheckDigit } from '#contracts/index.ts';
import { languageName, product, type ProductRecord } from '#contracts/product/index.ts';
import type { FileReference } from '#contracts/synced/index.ts';
import { commitStaging, digestProduct, digestRecord, openSnapshot, stageRun } from '#snapshot/index.ts';
import type { MadeArticles } from './make-episodes.ts';

/** Those of the catalogues that are made. */
export const CATALOGUE_LANGUAGES = ['de-de', 'en-gb', 'fr-fr'] as const;

export interface MakeCatalogueOptions {
  /** Product pages: products times languages. */
  pages: number;
  /** @default ['de-de', 'en-gb', 'fr-fr'] */
  languages?: readonly string[];
  /** @default 20 */
  families?: number;
  /** Changes single records; the page counts from 0, the languages of a product one after the other. */
  change?: (record: ProductRecord, page: number) => ProductRecord;
  /** Gives each product a picture of its own address. */
  pictures?: CataloguePictures;
  /** Gives the catalogue a podcast, or posts. */
  articles?: MadeArticles;
}

export interface CataloguePictures {
  /** Where assets lie: `.sortiment/assets` of a project. */
  folder: string;
  /** A PNG and its size in pixels. @param index Of the product */
  pictureOf: (index: number) => { bytes: Buffer; width: number; height: number };
}

const DEMO_PRODUCTS = path.resolve(import.meta.dirname, '../../content/demo/products.json');

/**
 * Makes a snapshot hold so many generated product pages: real records of the demo under other numbers, in several
 * languages. Posts, pages and the like stay as they are. The records name no files but pictures, if there are to be any.
 */
export function makeCatalogue(snapshotPath: string, options: MakeCatalogueOptions): void {
  const { pages, languages = CATALOGUE_LANGUAGES, families = 20, change = (record) => record } = options;
  const { pictures, articles } = options;
  const samples = Object.values(
    JSON.parse(readFileSync(DEMO_PRODUCTS, 'utf8')) as Record<string, Record<string, ProductRecord>>,
  );
  mkdirSync(path.dirname(snapshotPath), { recursive: true });
  const snapshot = openSnapshot(snapshotPath);
  const staging = stageRun(snapshot.database);
  const stage = (
    kind: string,
    records: readonly [id: string, record: object, references?: FileReference[]][],
  ): void => {
    for (const [position, [id, record, references = []]] of records.entries()) {
      staging.stageRecord({ kind, id, position, content: { record, digest: digestRecord(record), references } });
    }
    staging.completeKind(kind);
  };
  const familyIds = Array.from({ length: families }, (_, i) => `family-${i + 1}`);
  stage(
    'language',
    languages.map((code) => [code, { code, name: languageName(code) }]),
  );
  stage(
    'family',
    familyIds.map((id, i) => [id, { id, names: { de: `Familie ${i + 1}`, en: `Family ${i + 1}` }, descriptions: {} }]),
  );
  for (let page = 0; page < pages; page++) {
    const index = Math.floor(page / languages.length);
    const language = languages[page % languages.length] ?? '';
    const sample = samples[index % samples.length];
    const image = pictures ? `https://media.example/${index}.png` : '';
    const record = { ...change(recordOf(index, language, sample?.[language] ?? sample?.['de-de']), page), image };
    staging.stageProduct({
      gtin: record.gtin,
      language,
      family: familyIds[index % families],
      position: index,
      outcome: 'read',
      record,
      recordLanguage: record.language,
      digest: digestProduct(product.parse(record)),
      etag: undefined,
      lastModified: undefined,
      references: pictures ? [{ address: image, kind: 'image' }] : [],
    });
  }
  staging.completeKind('product');
  for (const [kind, records] of articles?.records ?? []) stage(kind, records);
  for (const asset of articles?.assets ?? []) staging.stageAsset(asset);
  const at = new Date();
  if (pictures) stagePictures(staging, pictures, Math.ceil(pages / languages.length), at);
  commitStaging(snapshot.database, {
    at,
    sources: [],
    conclude: ({ digest, previousDigest, changed }) => ({
      run: {
        id: `run_${at.toISOString()}`,
        startedAt: at.toISOString(),
        finishedAt: at.toISOString(),
        changed,
        digest,
        previousDigest,
        requests: 0,
        report: undefined,
      },
      messages: [],
    }),
  });
  snapshot.close();
}

const fileOf = (digest: string): string => `${digest.slice(0, 2)}/${digest.slice(2)}.png`;

function stagePictures(
  staging: ReturnType<typeof stageRun>,
  { folder, pictureOf }: CataloguePictures,
  products: number,
  at: Date,
): void {
  const digests = new Map<Buffer, string>();
  const store = (bytes: Buffer): string => {
    const digest = hash('sha256', bytes);
    mkdirSync(path.join(folder, digest.slice(0, 2)), { recursive: true });
    writeFileSync(path.join(folder, fileOf(digest)), bytes);
    digests.set(bytes, digest);
    return digest;
  };
  for (let index = 0; index < products; index++) {
    const { bytes, width, height } = pictureOf(index);
    const digest = digests.get(bytes) ?? store(bytes);
    staging.stageAsset({
      url: `https://media.example/${index}.png`,
      kind: 'image',
      digest,
      file: fileOf(digest),
      bytes: bytes.length,
      mimeType: 'image/png',
      width,
      height,
      lastModified: undefined,
      etag: undefined,
      reachable: true,
      problem: undefined,
      fetchedAt: at.toISOString(),
      checkedAt: at.toISOString(),
    });
  }
}

/** A demo product under another number. */
function recordOf(index: number, language: string, sample: ProductRecord | undefined): ProductRecord {
  if (!sample) throw new Error(`The demo has no product in ${language} to make records from.`);
  const digits = `9524${String(index).padStart(8, '0')}`;
  return {
    ...sample,
    language,
    gtin: `${digits}${gtinCheckDigit(digits)}`,
    image: '',
    banner: '',
    datasheet: '',
    safety_datasheet: '',
    declaration_of_performance: '',
  };
}
