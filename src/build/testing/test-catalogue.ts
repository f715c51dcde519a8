import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import sharp from 'sharp';
import { gtinCheckDigit } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { HEAD } from '#contracts/synced/index.ts';
import { listProductAssets } from '#snapshot/index.ts';
import {
  byId,
  createEpisode,
  createHead,
  createPage,
  createPost,
  createShow,
  createTerm,
  languages,
  PODCAST,
  SITE,
  writeSnapshot,
} from '#catalogue/testing/write-snapshot.ts';

const LANGUAGES = ['de-de', 'en-gb', 'fr-fr'];
const FAMILIES = ['membranes', 'tapes'];
const PRODUCTS = 60;
const POSTS = 30;
const EPISODES = 8;
const TRANSCRIPT = 'https://media.example/one.vtt';
const DEMO = path.resolve(import.meta.dirname, '../../../content/demo/products.json');

/**
 * Writes a snapshot with every kind of page: paginated lists, products without a translation, archived products, posts,
 * pages, a podcast in two languages, an image and a document.
 *
 * @param folder The project's folder.
 * @param share Fraction of the products and posts, for tests that need only a small site.
 */
export async function writeTestCatalogue(folder: string, share = 1): Promise<void> {
  const assets = await Promise.all(
    FILES.map(async (file) => ({ ...file, ...(await storeBytes(folder, file.url, 0)) })),
  );
  // Versions that a later sync may find at their URLs.
  for (const { url } of FILES)
    for (let version = 1; version < VERSIONS; version++) await storeBytes(folder, url, version);
  const transcript = {
    url: TRANSCRIPT,
    kind: 'transcript',
    ...storeFile(folder, Buffer.from('WEBVTT\n\n00:00.000 --> 00:09.000\nJa.\n'), '.vtt'),
  };
  const audio = {
    url: `${SITE}/audio/one.mp3`,
    kind: 'audio',
    mimeType: 'audio/mpeg',
    ...storeFile(folder, Buffer.from('not audio'), '.mp3'),
  };
  const count = PRODUCTS * share;
  const products = Array.from({ length: count }, (_, i) =>
    // Every fifth product has no French text.
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
      assets: [...assets, transcript, audio],
      records: {
        language: languages(...LANGUAGES),
        family: byId(...FAMILIES.map((id) => ({ id, names: { de: `Familie ${id}` }, descriptions: {} }))),
        category: byId(createTerm({ id: 1, slug: 'english', taxonomy: 'category' })),
        post: byId(
          ...Array.from({ length: POSTS * share }, (_, i) =>
            createPost({
              id: 100 + i,
              slug: `post-${i}`,
              categories: i % 3 === 0 ? [1] : [],
              featuredMedia: i % 4 === 0 ? 7 : undefined,
            }),
          ),
        ),
        media: byId(MEDIA),
        podcast: byId(PODCAST),
        show: byId(createShow({ id: 1, slug: 'english', title: 'Clearing the Air', language: 'en-GB' })),
        episode: byId(
          ...Array.from({ length: EPISODES }, (_, i) =>
            createEpisode({
              id: 200 + i,
              slug: `episode-${i}`,
              show: i % 3 === 0 ? 'english' : '',
              html: notesAbout(i * 3),
              cover: MEDIA.url,
              chapters: [{ startMs: 0, title: 'Anfang', href: `https://media.example/01/${gtinOf(i)}` }],
              transcripts: [TRANSCRIPT],
            }),
          ),
        ),
        page: byId(
          createPage({ id: 1, slug: 'company' }),
          createPage({ id: 2, slug: 'history', parent: 1, menuOrder: 1 }),
        ),
      },
      sources: [{ name: 'product', lastSuccess: '2026-11-20T08:00:00.000Z', failedSince: undefined }],
      run: 'run_1',
    },
    folder,
  );
  const database = new DatabaseSync(path.join(folder, '.sortiment/snapshot.sqlite'));
  database.prepare("INSERT INTO asset_references VALUES ('media/7', ?1, ?1, 'image')").run(MEDIA.url);
  database.close();
}

const MEDIA = {
  id: 7,
  slug: 'baustelle',
  title: 'Baustelle',
  url: 'https://media.example/post.png',
  mimeType: 'image/png',
  alt: 'Baustelle',
  caption: '',
  modified: '2026-11-20T08:00:00.000Z',
};

const FILES = [
  { url: 'https://media.example/a.png', kind: 'image', mimeType: 'image/png', width: 900, height: 600 },
  { url: MEDIA.url, kind: 'image', mimeType: 'image/png', width: 900, height: 600 },
  { url: 'https://media.example/b.pdf', kind: 'document' },
] as const;
const VERSIONS = 3;

/** Stores a version of a file where a sync would. */
async function storeBytes(folder: string, url: string, version: number) {
  const colour = `#3${version}${url.length % 10}`;
  const bytes = url.endsWith('.pdf')
    ? Buffer.from(`%PDF-1.4\n% ${version}\n`)
    : await sharp({ create: { width: 900, height: 600, channels: 3, background: colour } })
        .png()
        .toBuffer();
  const stored = storeFile(folder, bytes);
  writeFileSync(versionFile(folder, url, version), JSON.stringify(stored));
  return stored;
}

/** Stores a file where a sync would. */
function storeFile(folder: string, content: Buffer, ending = '') {
  const digest = hash('sha256', content);
  const file = `${digest.slice(0, 2)}/${digest.slice(2)}${ending}`;
  mkdirSync(path.join(folder, '.sortiment/assets', digest.slice(0, 2)), { recursive: true });
  writeFileSync(path.join(folder, '.sortiment/assets', file), content);
  return { digest, file, bytes: content.length };
}

/** Returns notes that mention a product. */
function notesAbout(product: number): string {
  return `<p>About <a href="https://media.example/01/${gtinOf(product)}">this one</a>.</p>`;
}

function versionFile(folder: string, url: string, version: number): string {
  return path.join(folder, '.sortiment/assets', `${path.basename(url)}-${version}.json`);
}

function productRecord(index: number, language: string): ProductRecord {
  const samples = Object.values(
    JSON.parse(readFileSync(DEMO, 'utf8')) as Record<string, Record<string, ProductRecord>>,
  );
  const sample = samples[index % samples.length]?.[language];
  if (!sample) throw new Error(`The demo has no text in ${language}.`);
  return {
    ...sample,
    gtin: gtinOf(index),
    image: index % 10 === 0 ? 'https://media.example/a.png' : '',
    banner: '',
    datasheet: index % 3 === 0 ? 'https://media.example/b.pdf' : '',
    safety_datasheet: '',
    declaration_of_performance: '',
  };
}

function gtinOf(index: number): string {
  const digits = `9524${String(index).padStart(8, '0')}`;
  return `${digits}${gtinCheckDigit(digits)}`;
}

/** Updates references as a sync does when it stores a product. */
function nameFiles(database: DatabaseSync, rowid: number): void {
  const row = database.prepare('SELECT gtin, language, record FROM products WHERE rowid = ?').get(rowid);
  const owner = `product/${String(row?.['gtin'])}/${String(row?.['language'])}`;
  database.prepare('DELETE FROM asset_references WHERE owner = ?').run(owner);
  const name = database.prepare('INSERT OR IGNORE INTO asset_references VALUES (?, ?2, ?2, ?3)');
  for (const { address, kind } of listProductAssets(JSON.parse(String(row?.['record'])) as ProductRecord))
    name.run(owner, address, kind);
}

/** Fraction of edits that change a file. */
const CHANCE_OF_FILE = 0.2;

/**
 * Applies a random change that a sync could make to a snapshot.
 *
 * @param random Returns numbers from 0 (inclusive) to 1 (exclusive).
 */
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
    if (table === 'products') nameFiles(database, Number(row['rowid']));
  };
  /** The source returns other bytes, or none. In that case the previous bytes are preserved or removed. */
  const changeFile = (): void => {
    const url = pick(FILES)?.url ?? '';
    const version = readFileSync(versionFile(folder, url, Math.floor(random() * VERSIONS)), 'utf8');
    const { digest, file, bytes } = JSON.parse(version) as { digest: string; file: string; bytes: number };
    const set = database.prepare(
      'UPDATE assets SET digest = ?, file = ?, bytes = ?, reachable = ?, last_modified = ? WHERE url = ?',
    );
    const kind = random();
    if (kind < 0.7) set.run(digest, file, bytes, 1, now, url);
    else if (kind < 0.85) set.run(null, null, null, 0, null, url);
    else database.prepare('UPDATE assets SET reachable = 0 WHERE url = ?').run(url);
  };
  /** Sets head metadata of a post or an episode, as an editor would. */
  const saveHead = (): void => {
    const [kind, first, count] =
      random() < 0.7 ? (['post', 100, POSTS] as const) : (['episode', 200, EPISODES] as const);
    const subject = { kind, id: first + Math.floor(random() * count) };
    const id = `${subject.kind}/${subject.id}`;
    const robots = random() < 0.3 ? ['noindex'] : [];
    const fields = { title: text(), robots, breadcrumbTitle: text(), isCornerstone: random() < 0.3 };
    const record = JSON.stringify(createHead({ ...fields, id, subject }));
    database
      .prepare(`INSERT OR REPLACE INTO records VALUES (?1, ?2, 'present', 0, ?3, ?4, ?5, ?5)`)
      .run(HEAD.kind, id, record, hash('sha1', record), now);
  };
  const product = (fields: (record: object) => object) => change('products', `state = 'present'`, fields);
  const steps = [
    () => product(() => ({ price: Math.round(random() * 1e4) / 100 })),
    () => product(() => ({ availability: pick(['available', 'limited', 'not_available']) })),
    () => product(() => ({ name: `Renamed ${text()}` })),
    () => product(() => ({ intro: text(), image: pick(['', 'https://media.example/a.png']), datasheet: '' })),
    () => product(() => ({ datasheet: 'https://media.example/b.pdf' })),
    // Shown only on the product's own page.
    () => product(() => ({ application: text() })),
    () =>
      change(
        'products',
        `state = 'gone'`,
        () => pick([{ price: random() * 1e4 }, { name: `Archived ${text()}` }]) ?? {},
      ),
    () => product(() => ({ attributes: [{ name: 'sd', norm: pick(['', 'EN 1931']), value: `${text().slice(5)} m` }] })),
    // Archived, restored, or deleted.
    () => database.exec(`UPDATE products SET state = 'gone', changed_at = '${now}' WHERE ${someProduct(random)}`),
    () => database.exec(`UPDATE products SET state = 'present', changed_at = '${now}' WHERE state = 'gone'`),
    () => database.exec(`DELETE FROM products WHERE ${someProduct(random)}`),
    () => database.exec(`UPDATE products SET family = '${pick(FAMILIES)}' WHERE ${someProduct(random)}`),
    () => change('records', `kind = 'post'`, () => ({ title: text(), modified: now })),
    () => change('records', `kind = 'page'`, () => ({ title: text(), modified: now })),
    () => change('records', `kind = 'episode'`, () => pick([{ title: text() }, { summary: text() }]) ?? {}),
    // Mentions another product instead.
    () =>
      change('records', `kind = 'episode'`, () => ({
        html: notesAbout(Math.floor(random() * PRODUCTS)),
        chapters: [],
      })),
    () =>
      database.exec(`DELETE FROM records WHERE kind = 'episode' AND id = '${200 + Math.floor(random() * EPISODES)}'`),
    () => database.exec(`DELETE FROM records WHERE kind = 'post' AND id = '${100 + Math.floor(random() * POSTS)}'`),
    saveHead,
    saveHead,
    () => database.exec(`DELETE FROM records WHERE kind = '${HEAD.kind}'`),
    () => change('records', `kind = 'family'`, () => ({ descriptions: { de: text() } })),
    () => database.exec(`UPDATE sources SET failed_since = '${now}', last_success = '${now}'`),
  ];
  if (random() < CHANCE_OF_FILE) changeFile();
  else pick(steps)?.();
  database.prepare(`UPDATE meta SET value = ? WHERE key = 'digest'`).run(text());
  database.close();
}

function someProduct(random: () => number): string {
  return `position = ${Math.floor(random() * PRODUCTS)}`;
}

/** Returns a seeded generator of numbers from 0 (inclusive) to 1 (exclusive). */
export function createSeededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}
