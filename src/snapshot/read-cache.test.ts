import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { TAG, type TermRecord } from '#contracts/synced/index.ts';
import { fillSnapshot } from './testing/fill-snapshot.ts';
import { openSnapshot } from './open-snapshot.ts';
import { reusableRows, withReadCache, type CachedRows } from './stage-run.ts';

const open = () => openSnapshot(path.join(mkdtempSync(path.join(tmpdir(), 'sortiment-reads-')), 'snapshot.sqlite'));
const tag = (id: number, name: string): TermRecord => ({
  id,
  slug: `t-${id}`,
  name,
  description: '',
  parent: undefined,
  taxonomy: 'tag',
});
const tags = (...names: string[]) => ({ [TAG.kind]: Object.fromEntries(names.map((name, id) => [id, tag(id, name)])) });

it('gives what a first read would, and reads only records that have changed since', () => {
  const snapshot = open();
  const readWith = (before: CachedRows | undefined) => {
    const rows = reusableRows(snapshot, before);
    return { rows, found: [...withReadCache(snapshot, rows).records('tag')] };
  };
  fillSnapshot(snapshot, { records: tags('Roof', 'Wall', 'Floor'), at: new Date('2026-11-01') });
  const first = readWith(undefined);
  fillSnapshot(snapshot, { records: tags('Roof', 'Walls'), at: new Date('2026-11-02') });
  const second = readWith(first.rows);
  expect(second.found).toEqual([...snapshot.records('tag')]);
  expect(second.found.map(({ name }) => name)).toEqual(['Roof', 'Walls']);
  expect(second.found.map((record) => first.found.includes(record))).toEqual([true, false]);
  fillSnapshot(snapshot, { records: tags('Roof', 'Walls', 'Floor'), at: new Date('2026-11-03') });
  expect(readWith(second.rows).found).toEqual([...snapshot.records('tag')]);
  snapshot.close();
});

it('takes nothing over from another snapshot that happens to be as long', () => {
  const [mine, other] = [open(), open()];
  const address = 'https://media.example/a.png';
  const store = (snapshot: typeof mine, digest: string) =>
    snapshot.database
      .prepare(
        `INSERT INTO assets (url, kind, digest, file, bytes, mime_type, reachable, fetched_at, checked_at)
         VALUES (?, 'image', ?, 'a.png', 1, 'image/png', 1, '', '')`,
      )
      .run(address, digest);
  for (const [snapshot, name] of [
    [mine, 'Roof'],
    [other, 'Wall'],
  ] as const) {
    fillSnapshot(snapshot, { records: tags(name), at: new Date('2026-11-01') });
    store(snapshot, name);
  }
  const rows = reusableRows(mine, undefined);
  const reader = withReadCache(mine, rows);
  expect([...reader.records('tag')].map(({ name }) => name)).toEqual(['Roof']);
  expect(reader.asset(address, 'image')?.digest).toBe('Roof');
  expect(reusableRows(mine, rows).assets).toBe(rows.assets);
  const later = withReadCache(other, reusableRows(other, rows));
  expect([...later.records('tag')].map(({ name }) => name)).toEqual(['Wall']);
  expect(later.asset(address, 'image')?.digest).toBe('Wall');
  mine.close();
  other.close();
});
