import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gtinCheckDigit } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { readDemoContent } from '#origin/admin/seed/demo-content.ts';
import { startOrigin } from '#origin/server/index.ts';
import { openStore } from '#origin/platform/store/open-store.ts';
import { upsertProducts } from '#origin/platform/store/upsert-products.ts';
import { productLanguage } from '#origin/platform/store/schema.ts';

/**
 * A process of its own: serves so many generated records, one language, on loopback. Prints one line of JSON when it
 * is ready, and ends with its standard input.
 */
const { count, additions } = JSON.parse(process.argv[2] ?? '{}') as { count: number; additions: boolean };
const dataFolder = mkdtempSync(path.join(tmpdir(), 'sortiment-bench-origin-'));
const log = () => undefined;

const store = await openStore({ dataFolder });
const samples = Object.values(
  (await readDemoContent(path.resolve(import.meta.dirname, '../../content/demo'))).products,
).flatMap((byLanguage) => byLanguage['de-de'] ?? []);
const records = Array.from({ length: count }, (_, i) => recordOf(i));
await store.db.insert(productLanguage).values([{ code: 'de-de', name: 'Deutsch', position: 0 }]);
await upsertProducts(store.db, records);
await store.close();

const origin = await startOrigin({ dataFolder, log, product: { additions, requestsPerMinute: 0 } });
const gtins = records.map(({ gtin }) => gtin);
console.log(JSON.stringify({ url: origin.url, token: origin.productToken, gtins }));
process.stdin.resume().once('end', () => {
  void origin.close().then(() => {
    rmSync(dataFolder, { recursive: true, force: true });
    process.exit(0);
  });
});

/** A demo product under another number. Files aren't measured here, so it names none. */
function recordOf(index: number): ProductRecord {
  const digits = `9524${String(index).padStart(8, '0')}`;
  const sample = samples[index % samples.length];
  if (!sample) throw new Error('There is no demo product to make records from.');
  return {
    ...sample,
    gtin: `${digits}${gtinCheckDigit(digits)}`,
    image: '',
    banner: '',
    datasheet: '',
    safety_datasheet: '',
    declaration_of_performance: '',
  };
}
