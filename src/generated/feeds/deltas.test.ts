import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import type { FeedDelta, FeedProduct } from '#contracts/feed/index.ts';
import { isSortimentError } from '#contracts/index.ts';
import { openSnapshot } from '#snapshot/index.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import { GTINS, LANGUAGES, startTestUpstream, type TestUpstream } from '#sync/testing/test-upstream.ts';
import { openUpdatedReaders } from '#product-index/product-readers.ts';
import { readOverlays } from '#projection/read-overlays.ts';
import { openManifest } from '#render/manifest/build-manifest.ts';
import { mulberry } from '#render/testing/test-catalogue.ts';
import { updateGeneratedFiles } from '../update-files.ts';
import { feeds } from './feeds.ts';

vi.setConfig({ testTimeout: 300_000 });

const SYNCS = 20;
const CHANGES = 10;

let upstream: TestUpstream | undefined;
afterEach(() => upstream?.close());

/** What the feed of a language says of each product. */
type Rows = Map<string, string>;

async function readFeeds({ settings }: TestUpstream): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const project = { ...settings, root: path.resolve(import.meta.dirname, '../../..') };
  const host = openUpdatedReaders(project);
  const snapshot = openSnapshot(project.snapshotPath, { readOnly: true });
  const manifest = openManifest(':memory:');
  try {
    manifest.change();
    await updateGeneratedFiles(project, {
      generators: [feeds],
      host: {
        productIndex: host.productIndex(),
        readProduct: host.readProduct,
        snapshot,
        digest: snapshot.digest(),
        overlays: () => readOverlays(project.root),
      },
      manifest: manifest.generated,
      isReliable: false,
      changes: undefined,
      publicFiles: new Set(),
      isPage: () => false,
      isThere: () => false,
      write: (file, bytes) => void files.set(file, Buffer.from(bytes).toString()),
      readPage: (file) => files.get(file),
      warn: () => undefined,
    });
    return files;
  } finally {
    manifest.close();
    snapshot.close();
    host.close();
  }
}

/** A removal of many at once is let through when it is asked again. */
async function syncAll(given: TestUpstream): Promise<SyncReport> {
  try {
    return await given.sync();
  } catch (error) {
    const accept = isSortimentError(error) ? /--accept ([0-9a-f]+)/.exec(error.hint ?? '')?.[1] : undefined;
    if (accept === undefined) throw error;
    return given.sync({ accept });
  }
}

it('lead from every earlier state to the present one, whatever 200 changes have done to it', async () => {
  const listed = new Set(GTINS);
  upstream = await startTestUpstream({
    assortment: () => [...listed].map((gtin) => ({ gtin, family: 'membranes' })),
    price: { show: 'net' },
    sync: { recheckMediaHours: 0 },
  });
  const { products, files, server } = upstream;
  const random = mulberry(200);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] ?? (from[0] as T);
  const put = (file: string) =>
    void files.set(file, { body: Buffer.from(`%PDF-1.7\n%${random()}\n%%EOF\n`), type: 'application/pdf' });
  const documents = ['/a.pdf', '/b.pdf', '/c.pdf'];
  for (const file of documents) put(file);
  upstream.fillProducts(GTINS);
  const change = (fields: () => Record<string, unknown>): void => {
    const key = pick([...products.keys()]);
    const record = products.get(key);
    if (record) products.set(key, { ...record, ...fields() });
  };
  const steps = [
    () => change(() => ({ intro: `Text ${pick([1, 2, 3])}` })),
    () => change(() => ({ price: pick([1, 2, 3]) })),
    () => change(() => ({ name: `Name ${pick([1, 2, 3])}` })),
    () => change(() => ({ datasheet: server.origin + pick(documents) })),
    () => change(() => ({ safety_datasheet: server.origin + pick(documents) })),
    () => change(() => ({ safety_datasheet: '' })),
    // A document that several products share.
    () => put(pick(documents)),
    () => put(pick(documents)),
    // A language is lost to another one, and comes back.
    () => change(() => ({ language: pick(LANGUAGES) })),
    () => {
      const gtin = pick(GTINS);
      if (listed.size > 1 && listed.delete(gtin)) return;
      listed.add(gtin);
    },
  ];
  const known: { language: string; digest: string; rows: Rows }[] = [];
  let led = 0;
  for (let sync = 0; sync <= SYNCS; sync++) {
    if (sync > 0) for (let edit = 0; edit < CHANGES; edit++) pick(steps)();
    const at = new Date(Date.UTC(2026, 10, 1 + sync));
    await syncAll({
      ...upstream,
      sync: (more) =>
        upstream?.sync({ now: () => at, ...more }) ?? Promise.reject(new Error('The upstream is closed.')),
    });
    const built = await readFeeds(upstream);
    for (const language of LANGUAGES) {
      const ofLanguage = [...built].filter(([file]) => file.includes(`/${language}/`));
      const lines = ofLanguage
        .filter(([file]) => file.endsWith('.ndjson'))
        .flatMap(([, text]) => text.trim().split('\n'));
      const rows: Rows = new Map(lines.filter(Boolean).map((line) => [(JSON.parse(line) as FeedProduct).gtin, line]));
      for (const [, text] of ofLanguage.filter(([file]) => file.includes('/delta/'))) {
        const delta = JSON.parse(text) as FeedDelta;
        for (const before of known.filter(({ language: of, digest }) => of === language && digest === delta.since)) {
          const now = new Map(before.rows);
          for (const gtin of delta.remove) now.delete(gtin);
          for (const product of delta.put) now.set(product.gtin, JSON.stringify(product));
          expect([...now].toSorted(), `${language} since ${delta.since}`).toEqual([...rows].toSorted());
          led++;
        }
      }
      const digest = upstream.read((snapshot) => snapshot.digest()) ?? '';
      known.push({ language, digest, rows });
    }
  }
  expect(led).toBeGreaterThan(SYNCS * 5);
});
