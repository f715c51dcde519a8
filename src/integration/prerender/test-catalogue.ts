import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { gtinCheckDigit } from '../../contracts/index.ts';
import type { ProductRecord } from '../../contracts/product/index.ts';
import { byId, createPage, createPost, createTerm, languages, writeSnapshot } from '../../loaders/fixtures/index.ts';

const LANGUAGES = ['de-de', 'en-gb', 'fr-fr'];
const FAMILIES = ['membranes', 'tapes'];
const PRODUCTS = 60;
const POSTS = 30;
const DEMO = path.resolve(import.meta.dirname, '../../../content/demo/products.json');

/**
 * For tests: writes a snapshot with something of every kind of page: lists of more than one page, products without a
 * translation, archived ones, posts, pages, a picture and a document.
 * @param folder The project's.
 * @param share Of the products and posts, for who needs a site and not a large one.
 */
export async function writeTestCatalogue(folder: string, share = 1): Promise<void> {
  const picture = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#346' } })
    .png()
    .toBuffer();
  const assets = [
    { url: 'https://media.example/a.png', kind: 'image' as const, bytes: picture, mimeType: 'image/png' },
    { url: 'https://media.example/b.pdf', kind: 'document' as const, bytes: Buffer.from('%PDF-1.4\n') },
  ].map(({ bytes, ...asset }) => {
    const digest = hash('sha256', bytes);
    const file = `${digest.slice(0, 2)}/${digest.slice(2)}`;
    mkdirSync(path.join(folder, '.sortiment/assets', digest.slice(0, 2)), { recursive: true });
    writeFileSync(path.join(folder, '.sortiment/assets', file), bytes);
    return { ...asset, digest, file, bytes: bytes.length, width: 900, height: 600 };
  });
  const count = PRODUCTS * share;
  const products = Array.from({ length: count }, (_, i) =>
    // Every fifth has no French text.
    LANGUAGES.filter((language) => language !== 'fr-fr' || i % 5 > 0).map((language) => ({
      language,
      record: productRecord(i, language),
      family: i < count - 5 ? 'membranes' : 'tapes',
      position: i,
      ...(i % 20 === 7 && { state: 'gone' }),
      changedAt: '2026-11-20T08:00:00.000Z',
    })),
  ).flat();
  writeSnapshot(
    {
      products,
      assets,
      records: {
        language: languages(...LANGUAGES),
        family: byId(...FAMILIES.map((id) => ({ id, names: { de: `Familie ${id}` }, descriptions: {} }))),
        category: byId(createTerm({ id: 1, slug: 'english', taxonomy: 'category' })),
        post: byId(
          ...Array.from({ length: POSTS * share }, (_, i) =>
            createPost({ id: 100 + i, slug: `post-${i}`, categories: i % 3 === 0 ? [1] : [] }),
          ),
        ),
        page: byId(
          createPage({ id: 1, slug: 'company' }),
          createPage({ id: 2, slug: 'history', parent: 1, menuOrder: 1 }),
        ),
      },
      sources: [{ name: 'product', lastSuccess: '2026-11-20T08:00:00.000Z', failedSince: undefined }],
    },
    folder,
  );
}

function productRecord(index: number, language: string): ProductRecord {
  const samples = Object.values(
    JSON.parse(readFileSync(DEMO, 'utf8')) as Record<string, Record<string, ProductRecord>>,
  );
  const sample = samples[index % samples.length]?.[language];
  if (!sample) throw new Error(`The demo has no text in ${language}.`);
  const digits = `9524${String(index).padStart(8, '0')}`;
  return {
    ...sample,
    gtin: `${digits}${gtinCheckDigit(digits)}`,
    image: index % 10 === 0 ? 'https://media.example/a.png' : '',
    banner: '',
    datasheet: index % 3 === 0 ? 'https://media.example/b.pdf' : '',
    safety_datasheet: '',
    declaration_of_performance: '',
  };
}

/** A step of a random walk through what a sync may do to a snapshot. @param random From 0 up to 1. */
export function editSnapshot(folder: string, random: () => number): void {
  const database = new DatabaseSync(path.join(folder, '.sortiment/snapshot.sqlite'));
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const text = () => `word-${Math.floor(random() * 1e6)}`;
  const now = new Date(1.8e12 + random() * 1e9).toISOString();
  const change = (table: 'products' | 'records', condition: string, fields: (record: object) => object): void => {
    const rows = database.prepare(`SELECT rowid, record FROM ${table} WHERE ${condition}`).all();
    const row = pick(rows);
    if (!row) return;
    const record = JSON.parse(String(row['record'])) as object;
    const changed = JSON.stringify({ ...record, ...fields(record) });
    database
      .prepare(`UPDATE ${table} SET record = ?, digest = ?, changed_at = ? WHERE rowid = ?`)
      .run(changed, hash('sha1', changed), now, row['rowid'] ?? null);
  };
  const product = (fields: (record: object) => object) => change('products', `state = 'present'`, fields);
  const steps = [
    () => product(() => ({ price: Math.round(random() * 1e4) / 100 })),
    () => product(() => ({ availability: pick(['available', 'limited', 'not_available']) })),
    () => product(() => ({ name: `Renamed ${text()}` })),
    () => product(() => ({ intro: text(), image: pick(['', 'https://media.example/a.png']), datasheet: '' })),
    () => product(() => ({ datasheet: 'https://media.example/b.pdf' })),
    // Nobody but its own page shows it.
    () => product(() => ({ application: text() })),
    () =>
      change(
        'products',
        `state = 'gone'`,
        () => pick([{ price: random() * 1e4 }, { name: `Archived ${text()}` }]) ?? {},
      ),
    () => product(() => ({ attributes: [{ name: 'sd', norm: pick(['', 'EN 1931']), value: `${text().slice(5)} m` }] })),
    // Goes, comes back, or is gone for good.
    () => database.exec(`UPDATE products SET state = 'gone', changed_at = '${now}' WHERE ${someProduct(random)}`),
    () => database.exec(`UPDATE products SET state = 'present', changed_at = '${now}' WHERE state = 'gone'`),
    () => database.exec(`DELETE FROM products WHERE ${someProduct(random)}`),
    () => database.exec(`UPDATE products SET family = '${pick(FAMILIES)}' WHERE ${someProduct(random)}`),
    () => change('records', `kind = 'post'`, () => ({ title: text(), modified: now })),
    () => change('records', `kind = 'page'`, () => ({ title: text(), modified: now })),
    () => database.exec(`DELETE FROM records WHERE kind = 'post' AND id = '${100 + Math.floor(random() * POSTS)}'`),
    () => change('records', `kind = 'family'`, () => ({ descriptions: { de: text() } })),
    () => database.exec(`UPDATE sources SET failed_since = '${now}', last_success = '${now}'`),
  ];
  pick(steps)?.();
  database.prepare(`UPDATE meta SET value = ? WHERE key = 'digest'`).run(text());
  database.close();
}

function someProduct(random: () => number): string {
  return `position = ${Math.floor(random() * PRODUCTS)}`;
}

/** Numbers from 0 up to 1 that are the same for a seed every time. */
export function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
