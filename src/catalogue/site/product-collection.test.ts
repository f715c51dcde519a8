import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { resolveSettings, type Settings } from '#config/index.ts';
import { openUpdatedReaders } from '#catalogue/read-model/product-readers.ts';
import { writeTestCatalogue } from '#build/testing/test-catalogue.ts';
import options from '#sortiment.config.ts';
import { productCollection } from './product-collection.ts';
import { digestQuery, recordReads, querySources } from './tracked-queries.ts';
import { RECORD_DIGEST, renderContext } from './render-context.ts';

const ONE = 'de-de/9524000000002';

let settings: Settings;
let closeReaders: () => void;
const readProduct = vi.fn();

beforeEach(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-collection-'));
  settings = resolveSettings(folder, options, {});
  await writeTestCatalogue(folder, 0.4);
  closeReaders = openReaders();
});
afterEach(() => {
  closeReaders();
  renderContext.current = undefined;
  rmSync(settings.root, { recursive: true });
});

/** Lets pages read the snapshot as it is. */
function openReaders(): () => void {
  const readers = openUpdatedReaders(settings);
  readProduct.mockReset().mockImplementation(readers.readProduct);
  renderContext.current = { productIndex: readers.productIndex, readProduct };
  return readers.close;
}

/** Changes the snapshot as a sync does, for pages that are rendered after that. */
function change(sql: string): void {
  const database = new DatabaseSync(settings.snapshotPath);
  database.exec(sql);
  database.close();
  closeReaders();
  closeReaders = openReaders();
}

/** True if pages would read the same now. */
const isStill = (reads: ReadonlyMap<string, string>): boolean =>
  [...reads].every(([read, answer]) => digestQuery({}, read, () => undefined) === answer);

const setPrice = (id: string, price: string): string => {
  const [language, gtin] = id.split('/');
  return `UPDATE products SET record = json_set(record, '$.price', '${price}'), digest = hex(randomblob(8))
    WHERE language = '${language}' AND gtin = '${gtin}'`;
};

it('gives whole records, in all languages, with fallbacks and what is no longer offered', () => {
  const entries = [...productCollection.values()];
  expect(entries.map(({ id }) => id).toSorted()).toEqual(
    renderContext.current
      ?.productIndex?.()
      .index()
      .map(({ id }) => id)
      .toSorted(),
  );
  const records = entries.map(({ id }) => productCollection.get(id)?.data);
  // As `console.log` shows it.
  expect(inspect(entries[0]?.data)).toBe(inspect({ ...entries[0]?.data }));
  // Some fields of these were read before, and the others weren't.
  for (const { data } of entries) expect(['name', 'archived'].every((key) => key in data)).toBe(true);
  expect(entries.map(({ data }) => ({ ...data }))).toEqual(records);
  expect(JSON.parse(JSON.stringify(entries.map(({ data }) => data)))).toEqual(JSON.parse(JSON.stringify(records)));
  expect(records).toContainEqual(expect.objectContaining({ fallback: true, pageLanguage: 'fr-fr', language: 'de-de' }));
  expect(records).toContainEqual(
    expect.objectContaining({ archived: expect.anything(), attributes: expect.anything() }),
  );
  expect(productCollection.get(ONE)).toMatchObject({ id: ONE, data: { price: { text: '142.5' } } });
  for (const unknown of ['de-de/9524999999999', 'xx/9524000000002', '9524000000002', ''])
    expect(productCollection.get(unknown)).toBeUndefined();
});

it('reads no record for what lists are made of, and says the same there as the record', () => {
  const entries = [...productCollection.values()];
  const shown = ['name', 'gtin', 'language', 'item_number', 'pageLanguage', 'slug', 'family'];
  const inColumns = entries.map(({ data }) => shown.map((field) => Reflect.get(data, field) as unknown));
  // A page that is given an entry is known by the digest of its record, in JSON.
  for (const { data, digest } of entries)
    expect([Reflect.get(data, RECORD_DIGEST), Reflect.get(data, 'toJSON')]).toEqual([digest, undefined]);
  const offered = entries.filter(({ data }) => !Reflect.get(data, 'archived'));
  // Discontinued products have a date.
  expect(readProduct).toHaveBeenCalledTimes(entries.length - offered.length);
  const records = entries.map(({ id }) => productCollection.get(id)?.data ?? {});
  expect(inColumns).toEqual(records.map((record) => shown.map((field) => Reflect.get(record, field) as unknown)));
  expect(offered.map(({ data }) => data)).toEqual(records.filter((record) => !Reflect.get(record, 'archived')));
});

it('is read anew when a record has changed: one entry when its own has, a list when any has', () => {
  const one = recordReads(
    () => undefined,
    () => productCollection.get(ONE),
  ).reads;
  const all = recordReads(
    () => undefined,
    () => [...productCollection.values()],
  ).reads;
  for (const read of [...one.keys(), ...all.keys()]) expect(querySources(read)).toEqual(['products']);
  expect([isStill(one), isStill(all)]).toEqual([true, true]);
  change(setPrice('de-de/9524000000026', '11.90'));
  expect([isStill(one), isStill(all)]).toEqual([true, false]);
  change(setPrice(ONE, '12.90'));
  expect(isStill(one)).toBe(false);
  expect(productCollection.get(ONE)).toMatchObject({ data: { price: { text: '12.90' } } });
});

it('says so when a record of a list is gone before it was read', () => {
  const entry = [...productCollection.values()].find(({ id }) => id === ONE);
  change(`DELETE FROM products WHERE gtin = '9524000000002'`);
  expect(() => Reflect.get(entry?.data ?? {}, 'price')).toThrow(`Product ${ONE} is missing from the snapshot.`);
});
