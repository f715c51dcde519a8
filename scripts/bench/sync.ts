import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { cleanEnvironment, copyProject } from '#e2e/project-copy.ts';
import { openStore } from '#origin/platform/store/open-store.ts';
import { upsertProducts } from '#origin/platform/store/upsert-products.ts';
import { productLanguage } from '#origin/platform/store/schema.ts';
import { startOrigin } from '#origin/server/index.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import { createRecord } from '../fixtures/make-catalogue.ts';
import { measureNode, type Measurement } from './measure.ts';

export interface SyncRow extends Measurement {
  /** How the records are read. Interfaces without a list and an export need a request per record. */
  by: 'record' | 'list and export';
  run: 'first' | 'no change';
  recordsPerSecond: number;
  /** Records per second relative to the first sync by record. */
  ratio: number;
  requests: number;
  receivedMegabytes: number;
}

/** Runs `npm run sync` against an origin with generated records in this process. */
export async function benchSync({ records, signal }: { records: number; signal: AbortSignal }): Promise<SyncRow[]> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'sortiment-bench-'));
  const copy = await copyProject();
  try {
    const products = Array.from({ length: records }, (_, i) => createRecord(i, 'de-de'));
    const list = path.join(copy.folder, 'list.csv');
    writeFileSync(list, `gtin\n${products.map(({ gtin }) => gtin).join('\n')}\n`);
    await copy.configure({ assortment: list });
    const store = await openStore({ dataFolder });
    await store.db.insert(productLanguage).values([{ code: 'de-de', name: 'Deutsch', position: 0 }]);
    await upsertProducts(store.db, products);
    await store.close();
    const rows: SyncRow[] = [];
    for (const by of ['record', 'list and export'] as const) {
      const product = { additions: by !== 'record', requestsPerMinute: 0 };
      const origin = await startOrigin({ dataFolder, log: () => undefined, product });
      const upstream = { PRODUCT_API_URL: `${origin.url}/${PRODUCT_ROOT}`, PRODUCT_API_TOKEN: origin.productToken };
      rmSync(path.join(copy.folder, '.sortiment'), { recursive: true, force: true });
      for (const run of ['first', 'no change'] as const) {
        const args = ['scripts/sync.ts', '--json'];
        const env = { ...cleanEnvironment(), ...upstream };
        const { stdout, peakMegabytes } = await measureNode(args, { cwd: copy.folder, env, signal });
        const { requests, bytes, durationMs } = JSON.parse(stdout) as SyncReport;
        const [seconds, receivedMegabytes] = [durationMs / 1000, bytes / 1e6];
        const recordsPerSecond = records / seconds;
        const ratio = recordsPerSecond / (rows[0]?.recordsPerSecond ?? recordsPerSecond);
        rows.push({ by, run, seconds, recordsPerSecond, ratio, requests, receivedMegabytes, peakMegabytes });
      }
      await origin.close();
    }
    return rows;
  } finally {
    await copy.remove();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}
