import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createProduct, dumpSnapshot, fillSnapshot } from './testing/fill-snapshot.ts';
import { openSnapshot } from './open-snapshot.ts';
import { listPendingMessages } from './outbox.ts';
import { MIGRATIONS } from './schema.ts';

const product = (gtin: string, state: string, leftAt: string | null) => {
  const record = JSON.stringify(createProduct({ gtin }));
  return [gtin, 'de-de', state, 'de-de', record, `digest ${gtin}`, 'membranes', 0, 'then', leftAt];
};

const record = (kind: string, id: number, state: string, fields: object) => [
  kind,
  String(id),
  state,
  id,
  JSON.stringify({ id, slug: `${kind}-${id}`, ...fields }),
  'x',
  'then',
  'then',
];

const asset = (address: string, kind: string, digest: string, unaccepted: string | null) => [
  address,
  kind,
  digest,
  `${digest}.x`,
  9,
  'x/x',
  null,
  null,
  null,
  null,
  1,
  null,
  'then',
  'then',
  unaccepted,
];

/** A snapshot as version 7 wrote it: content, tombstones, files and their history, addresses that were left, a message. */
function writeVersion7(): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'sortiment-v7-')), 'snapshot.sqlite');
  const database = new DatabaseSync(file);
  database.exec(MIGRATIONS.slice(0, 7).join('\n'));
  const insert = (table: string, ...rows: (string | number | null)[][]): void => {
    for (const row of rows) database.prepare(`INSERT INTO ${table} VALUES (${row.map(() => '?').join()})`).run(...row);
  };
  insert('meta', ['digest', 'd7'], ['taken_at', 'then'], ['normaliser', '3']);
  insert('products', product('9524010000016', 'present', null), product('9524010000023', 'gone', 'then'));
  insert('product_checks', ['9524010000016', 'de-de', 'then', '"e"', null, null, 2, 'since', '[]']);
  insert(
    'records',
    record('post', 1, 'present', { title: 'Kept', modified: 'then' }),
    record('post', 2, 'gone', { withdrawn: 1 }),
    record('tag', 3, 'present', { name: 'Roof' }),
  );
  const [url, sheet] = ['https://site.example/a.png', 'https://site.example/a.pdf'];
  insert('assets', asset(url, 'image', 'aa', null), asset(sheet, 'document', 'bb', '{"digest":"cc"}'));
  insert('asset_references', ['post/1', url, url, 'image'], ['product/9524010000016/de-de', sheet, sheet, 'document']);
  insert('asset_history', [sheet, 'document', '99', '99.pdf', 8, 'application/pdf', 'before']);
  insert('earlier_documents', ['9524010000016', 'de-de', 'datasheet', sheet, '98', 'de-de', '98.pdf', 7, 'before']);
  insert('sources', ['publishing', 'https://site.example/', '{"readAt":"then"}', 'then', null, null]);
  insert('runs', ['run_1', 'then', 'then', 1, 'd7', null, 9, '{"changes":[]}']);
  insert('past_names', ['9524010000016', 'de-de', 'Former', 'before']);
  insert('past_places', ['post', '1', 'former', 0, 'before'], ['page', '5', 'below', 4, 'before']);
  insert('past_slugs', ['tag', '3', 'old-roof', 'before'], ['tag', '3', 'tag-3', 'before']);
  insert('past_families', ['tapes', '9524010000016']);
  database.exec(`INSERT INTO outbox (id, hook, run_id, body, state, attempts, next_attempt_at, created_at)
    VALUES ('msg_1', 'site', 'run_1', '{"digest":"d7"}', 'pending', 3, 'then', 'then')`);
  database.exec('PRAGMA user_version = 7');
  database.close();
  return file;
}

it('keeps every row of a snapshot of the version before, so that nothing is read, built or told again', () => {
  const file = writeVersion7();
  const former = new DatabaseSync(file, { readOnly: true });
  const before = dumpSnapshot({ database: former });
  former.close();
  openSnapshot(file).close();

  const snapshot = openSnapshot(file, { readOnly: true });
  const { past_places, past_slugs: _, assets, ...others } = before;
  const after = dumpSnapshot(snapshot);
  expect(after).toMatchObject(others);
  expect(after['assets']).toEqual(assets?.map((row) => ({ ...(row as object), details: null })));
  expect(after['past_places']).toEqual(expect.arrayContaining(past_places ?? []));
  expect(after['past_places']).toHaveLength(4);

  expect(snapshot.digest()).toBe('d7');
  expect([...snapshot.archivedProducts()]).toMatchObject([{ gtin: '9524010000023', leftAt: 'then' }]);
  expect([...snapshot.records('post')]).toMatchObject([{ id: 1, title: 'Kept' }]);
  expect([...snapshot.pastPlaces('page')]).toEqual([{ id: 5, slug: 'below', parent: 4, until: 'before' }]);
  // A slug that is in use again is not a former one.
  expect(snapshot.pastSlugs()).toEqual([{ kind: 'tag', id: 3, slug: 'old-roof', until: 'before' }]);
  expect(listPendingMessages(snapshot.database)).toMatchObject([{ id: 'msg_1', body: '{"digest":"d7"}', attempts: 3 }]);
  snapshot.close();
});

it('goes on from there: what is renamed or removed after that is kept as before', () => {
  const file = writeVersion7();
  const snapshot = openSnapshot(file);
  const tag = { id: 3, taxonomy: 'tag', slug: 'roofs', name: 'Roofs', description: '' };
  fillSnapshot(snapshot, {
    products: [createProduct({ gtin: '9524010000016' })],
    records: { tag: { 3: tag }, post: {} },
  });
  expect([...snapshot.records('tag')]).toMatchObject([{ slug: 'roofs' }]);
  expect([...snapshot.records('post')]).toEqual([]);
  expect(snapshot.pastSlugs().map(({ slug }) => slug)).toEqual(['old-roof', 'tag-3']);
  expect([...snapshot.archivedProducts()].map(({ gtin }) => gtin)).toEqual(['9524010000023']);
  expect(listPendingMessages(snapshot.database)).toHaveLength(1);
  snapshot.close();
});
