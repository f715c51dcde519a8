import { afterEach, expect, it, vi } from 'vitest';
import type { FeedDelta, FeedProduct } from '#contracts/feed/feed-files.ts';
import { isSortimentError } from '#contracts/index.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import { GTINS, LANGUAGES, startTestUpstream, type TestUpstream } from '#sync/testing/test-upstream.ts';
import { createSeededRandom } from '#build/testing/test-catalogue.ts';
import { readGenerated } from '../testing/test-generators.ts';
import { feeds } from './feeds.ts';

vi.setConfig({ testTimeout: 300_000 });

const SYNCS = 20;
const CHANGES = 10;

let upstream: TestUpstream | undefined;
afterEach(() => upstream?.close());

/** Products in the feed of a language. */
type Rows = Map<string, string>;

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
    // English feeds have no prices: changes of them must not break what leads from one state to the next.
    price: { show: { 'de-de': 'net' } },
    sync: { recheckMediaHours: 0 },
  });
  const { products, files, server } = upstream;
  const random = createSeededRandom(200);
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
    const built = await readGenerated(upstream.settings, [feeds]);
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
