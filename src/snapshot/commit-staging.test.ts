import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { product } from '#contracts/product/index.ts';
import { createProduct, dumpSnapshot, fillSnapshot } from './testing/fill-snapshot.ts';
import { digestProduct } from './digest-record.ts';
import { openSnapshot, type Snapshot } from './open-snapshot.ts';
import { stageRun } from './stage-run.ts';
import { findRemovals, listStagedChanges } from './staged-changes.ts';

let folder: string;
let file: string;
let snapshot: Snapshot;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sortiment-commit-'));
  file = path.join(folder, 'snapshot.sqlite');
  openSnapshot(file).close();
  snapshot = openSnapshot(file);
});
afterEach(async () => {
  snapshot.close();
  await rm(folder, { recursive: true, force: true });
});

const vario = createProduct();
const brems = createProduct({ gtin: '9524010000030', name: 'DIFFRANA Brems 20' });

describe('a commit', () => {
  it('changes nothing but times when nothing has changed', () => {
    const first = fillSnapshot(snapshot, { products: [vario, brems] });
    const taken = snapshot.takenAt();
    const second = fillSnapshot(snapshot, { products: [vario, brems], at: new Date('2026-11-22T10:00:00Z') });
    expect(second).toEqual({ digest: first.digest, previousDigest: first.digest, changed: false });
    expect(snapshot.takenAt()).toBe(taken);
    expect(snapshot.product(vario.gtin, 'de-de')?.changedAt).toBe('2026-11-21T10:00:00.000Z');
    expect(snapshot.known(vario.gtin, 'de-de')?.checkedAt).toBe('2026-11-22T10:00:00.000Z');
  });

  it('keeps what was removed as a tombstone, and takes it back', () => {
    const { digest } = fillSnapshot(snapshot, { products: [vario, brems] });
    expect(fillSnapshot(snapshot, { products: [vario] }).changed).toBe(true);
    expect([...snapshot.products()].map(({ gtin }) => gtin)).toEqual([vario.gtin]);
    expect([...snapshot.archivedProducts()]).toMatchObject([
      { gtin: brems.gtin, state: 'unlisted', record: { name: 'DIFFRANA Brems 20' } },
    ]);
    expect(fillSnapshot(snapshot, { products: [vario, brems] }).digest).toBe(digest);
  });

  it('keeps the reports of the last hundred changes, by the order in which they came', () => {
    for (let i = 0; i < 103; i += 1) {
      // The clock is set back in the middle.
      const at = new Date(Date.UTC(2026, 10, i < 50 ? 21 : 20, 0, i));
      fillSnapshot(snapshot, {
        products: [createProduct({ price: i })],
        at,
        conclude: (outcome) => ({
          run: {
            ...outcome,
            id: `r${i}`,
            startedAt: at.toISOString(),
            finishedAt: at.toISOString(),
            requests: 0,
            report: '{}',
          },
          messages: [],
        }),
      });
    }
    const bare = snapshot.runs(200).filter(({ report }) => report === undefined);
    expect(bare.map(({ id }) => id).toSorted()).toEqual(['r0', 'r1', 'r2']);
  });

  it('is undone by an error anywhere in it', () => {
    fillSnapshot(snapshot, { products: [vario] });
    const before = dumpSnapshot(snapshot);
    expect(() =>
      fillSnapshot(snapshot, {
        products: [brems],
        conclude: () => {
          throw new Error('no');
        },
      }),
    ).toThrow('no');
    expect(dumpSnapshot(snapshot)).toEqual(before);
  });

  it('is undone by the death of the process in the middle of it', () => {
    fillSnapshot(snapshot, { products: [vario] });
    const before = dumpSnapshot(snapshot);
    const [open, fill] = ['./open-snapshot.ts', './testing/fill-snapshot.ts'].map((name) =>
      JSON.stringify(import.meta.resolve(name)),
    );
    const script = `
      const { openSnapshot } = await import(${open});
      const { fillSnapshot } = await import(${fill});
      fillSnapshot(openSnapshot(${JSON.stringify(file)}), { products: [], conclude: () => process.kill(process.pid, 'SIGKILL') });`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script]);
    expect(child.signal).toBe('SIGKILL');
    expect(dumpSnapshot(snapshot)).toEqual(before);
    expect(fillSnapshot(snapshot, { products: [brems] }).changed).toBe(true);
  });

  it('has one digest for one content, in whatever order it came', () => {
    const forth = fillSnapshot(snapshot, { records: { tag: { a: tag('a'), b: tag('b') } } });
    const other = openSnapshot(path.join(folder, 'other.sqlite'));
    const back = fillSnapshot(other, { records: { tag: { b: tag('b'), a: tag('a') } } });
    other.close();
    expect(back.digest).toBe(forth.digest);
  });
});

describe('the staging area', () => {
  it('is gone on with only after the same last commit, whatever the clock says, and with the same tables', () => {
    const place = { file: `${file}.staging`, basis: 'b', at: new Date('2026-11-21T09:00:00Z'), maxAgeMs: 3_600_000 };
    const reopen = (change: () => void): number => {
      const staging = stageRun(snapshot.database, place);
      staging.stageProduct({ ...asked, outcome: 'not-modified' });
      staging.close(true);
      change();
      const again = stageRun(snapshot.database, place);
      again.close(false);
      return again.unfinished;
    };
    fillSnapshot(snapshot, { products: [vario], at: new Date('2026-11-21T12:00:00Z') });
    expect(reopen(() => undefined)).toBe(1);
    expect(reopen(() => void fillSnapshot(snapshot, { products: [brems], at: new Date('2026-11-21T09:01:00Z') }))).toBe(
      0,
    );
    const outdate = () => {
      const other = new DatabaseSync(place.file);
      other.exec(`UPDATE basis SET value = '1' WHERE key = 'tables'; ALTER TABLE staged_products ADD COLUMN more TEXT`);
      other.close();
    };
    expect(reopen(outdate)).toBe(0);
  });

  const asked = { gtin: vario.gtin, language: 'de-de', family: undefined, position: 0 };

  it('removes a product only when the interface says that it is gone', () => {
    fillSnapshot(snapshot, { products: [vario] });
    for (const [outcome, removals] of [
      ['kept', []],
      ['not-modified', []],
      ['missing', []],
      ['gone', [{ kind: 'product', id: vario.gtin, language: 'de-de', reason: 'gone' }]],
    ] as const) {
      const staging = stageRun(snapshot.database);
      staging.stageProduct({ ...asked, outcome });
      staging.completeKind('product');
      expect(findRemovals(snapshot.database)).toEqual(removals);
    }
  });

  it('counts nothing as missing from a list that was not read to its end', () => {
    fillSnapshot(snapshot, { records: { tag: { '1': tag('a') } } });
    const staging = stageRun(snapshot.database);
    expect(findRemovals(snapshot.database)).toEqual([]);
    staging.completeKind('tag');
    expect(findRemovals(snapshot.database)).toMatchObject([{ kind: 'tag', id: '1', reason: 'missing' }]);
  });

  it('tells what is changed, with both records', () => {
    fillSnapshot(snapshot, { products: [vario] });
    const staging = stageRun(snapshot.database);
    const record = createProduct({ price: 149.9 });
    const digest = digestProduct(product.parse(record));
    const read = {
      outcome: 'read',
      record,
      recordLanguage: 'de-de',
      digest,
      etag: undefined,
      lastModified: undefined,
    } as const;
    staging.stageProduct({ ...asked, ...read, references: [] });
    staging.completeKind('product');
    expect([...listStagedChanges(snapshot.database)]).toMatchObject([
      {
        kind: 'product',
        id: vario.gtin,
        language: 'de-de',
        change: 'changed',
        before: { price: 142.5 },
        after: { price: 149.9 },
      },
    ]);
  });
});

function tag(slug: string) {
  return { id: 1, taxonomy: 'tag' as const, slug, name: slug, description: '', parent: undefined };
}
