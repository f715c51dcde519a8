import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { defineConfig } from '#config/index.ts';
import { updateProductIndex } from './update-product-index.ts';
import {
  type ProductIndex,
  openProductIndex,
  FIND_BY_NAME,
  readProductIndex,
} from '#catalogue/read-model/product-index.ts';
import { editSnapshot, createSeededRandom, writeTestCatalogue } from '#build/testing/test-catalogue.ts';

vi.stubEnv('SITE_URL', 'https://catalogue.example');

const SOAK = Number(process.env['SORTIMENT_SOAK'] ?? 1);
const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-index-'));
const snapshotPath = path.join(folder, '.sortiment/snapshot.sqlite');
const options = defineConfig({
  site: { name: 'Haldenwerk' },
  maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
  mainLanguage: 'de-de',
});
const fileOf = (name: string) => path.join(folder, `${name}.sqlite`);
const update = (name: string) => updateProductIndex(fileOf(name), snapshotPath, options);

/** As a sync notes that it has changed something. */
function noteRun(id: string): void {
  const database = new DatabaseSync(snapshotPath);
  database.prepare(`INSERT INTO runs VALUES (?, '', '', 1, '', NULL, 0, NULL)`).run(id);
  database.close();
}

/** Data of whole lists. */
function lists(productIndex: ProductIndex): unknown {
  return ['de-de', 'en-gb', 'fr-fr'].map((language) => [
    [productIndex.productGroups(language), productIndex.norms(language), productIndex.discontinued(language)],
    [productIndex.directoryPages(language), productIndex.count(language), productIndex.countDocuments(language)],
  ]);
}

/** All that a product index says. */
function dump(name: string): unknown {
  const database = new DatabaseSync(fileOf(name), { readOnly: true });
  const names = ['entries', 'documents', 'norms', 'product_groups', 'directory_pages'];
  const tables = names.map((table) =>
    database
      .prepare(`SELECT * FROM ${table}`)
      .all()
      .map((row) => JSON.stringify(row))
      .toSorted(),
  );
  database.close();
  return tables;
}

beforeAll(() => writeTestCatalogue(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the product index', () => {
  it('is what it would be if it were rebuilt, whatever has changed', { timeout: 60_000 * SOAK }, () => {
    noteRun('first');
    update('logged');
    for (let seed = 0; seed < 6 * SOAK; seed++) {
      const random = createSeededRandom(seed);
      for (let edit = 0; edit < 4; edit++) editSnapshot(folder, random);
      update('logged');
      update(`fresh-${seed}`);
      expect(dump('logged'), `logged, seed ${seed}`).toEqual(dump(`fresh-${seed}`));
    }
  });

  it('does not take the word of another snapshot', () => {
    update('restored');
    const backup = `${snapshotPath}.backup`;
    copyFileSync(snapshotPath, backup);
    editSnapshot(folder, createSeededRandom(100));
    noteRun('second');
    update('restored');
    copyFileSync(backup, snapshotPath);
    // As many changes as there were before, but others.
    editSnapshot(folder, createSeededRandom(102));
    update('restored');
    update('as-it-is');
    expect(dump('restored')).toEqual(dump('as-it-is'));
  });

  it('says which pages may show something else, and that nothing has changed', () => {
    update('told');
    const { from, to, products } = update('told');
    expect([from === to, products.size]).toEqual([true, 0]);
    const database = new DatabaseSync(snapshotPath);
    const [row] = database.prepare(`SELECT gtin FROM products WHERE state = 'present' AND language = 'de-de'`).all();
    const gtin = String(row?.['gtin']);
    const set = (field: string, value: unknown): void =>
      void database
        .prepare(
          `UPDATE products SET record = json_set(record, ?, ?), digest = hex(randomblob(8))
            WHERE gtin = ? AND language = 'de-de'`,
        )
        .run(`$.${field}`, value as string, gtin);
    set('price', '1.23');
    const priced = update('told');
    // Other pages don't show its price.
    expect([...priced.products].some((place) => place === `de-de/${gtin}`)).toBe(true);
    expect(priced.productGroups.size).toBe(0);
    set('name', 'Another name');
    const renamed = update('told');
    database.close();
    expect(renamed.productGroups.size).toBeGreaterThan(0);
    expect(renamed.gone.map(({ language }) => language)).toContain('de-de');
    expect(renamed.everything).toBe(false);
  });

  it('gives the lists that there are, however often it was opened before', () => {
    const database = new DatabaseSync(fileOf('reopened'));
    for (let seed = 0; seed < 20 * SOAK; seed++) {
      if (seed > 0) editSnapshot(folder, createSeededRandom(1000 + seed));
      update('reopened');
      const again = openProductIndex(fileOf('reopened'));
      expect(lists(again), `seed ${seed}`).toEqual(lists(readProductIndex(database)));
      again.close();
    }
    database.close();
  });

  it('gives neighbours alike, whether the group is in memory or not', () => {
    update('read');
    const [single, whole] = [openProductIndex(fileOf('read')), openProductIndex(fileOf('read'))];
    whole.readAhead();
    for (const { data } of single.index()) {
      const [one, other] = [single, whole].map((productIndex) => {
        const entry = productIndex.product(data.pageLanguage, data.gtin);
        return (
          entry && [
            entry,
            productIndex.neighbours(entry),
            productIndex.digestOf(entry),
            productIndex.findRowDigest(entry),
          ]
        );
      });
      expect(one).toEqual(other);
    }
    single.close();
    whole.close();
  });

  it('names the pages that show what has changed as a neighbour: all whose neighbours are others than before', () => {
    const file = fileOf('neighbours');
    const neighbours = (): Map<string, string> => {
      const productIndex = openProductIndex(file);
      const shown = productIndex.index().map(({ id, data }): [string, string] => {
        const entry = productIndex.product(data.pageLanguage, data.gtin);
        const digests = entry ? productIndex.neighbours(entry).map(productIndex.findRowDigest) : [];
        expect(digests).not.toContain(undefined);
        return [id, JSON.stringify(digests)];
      });
      productIndex.close();
      return new Map(shown);
    };
    update('neighbours');
    let before = neighbours();
    let others = 0;
    for (let seed = 0; seed < 15 * SOAK; seed++) {
      const random = createSeededRandom(2000 + seed);
      for (let edit = 0; edit <= seed % 4; edit++) editSnapshot(folder, random);
      const changes = update('neighbours');
      const now = neighbours();
      const productIndex = openProductIndex(file);
      const showing = productIndex.pagesShowing(changes.places);
      productIndex.close();
      const changed = [...now].filter(([id, shown]) => before.has(id) && before.get(id) !== shown).map(([id]) => id);
      expect(
        changed.filter((id) => !showing.has(id) && !changes.products.has(id)),
        `seed ${seed}`,
      ).toEqual([]);
      others += changed.length;
      before = now;
    }
    expect(others).toBeGreaterThan(20);
  });

  it('finds what texts name without reading all that is offered: each text asks', () => {
    update('named');
    const database = new DatabaseSync(fileOf('named'), { readOnly: true });
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${FIND_BY_NAME}`).all('de-de', '["DIFFRANA Vario 75"]', 8);
    database.close();
    const reads = plan.flatMap(({ detail }) => /(?:SCAN|SEARCH) entries.*/.exec(String(detail)) ?? []);
    const found = 'SEARCH entries USING INTEGER PRIMARY KEY (rowid=?)';
    expect(reads.map(String)).toEqual([
      found,
      'SEARCH entries USING INDEX entries_by_item_number (language=? AND item_number=?)',
      found,
      'SEARCH entries USING INDEX entries_by_name (language=? AND name=?)',
    ]);
  });

  it('reads of products that share a name no more than are shown, the first by GTIN', () => {
    update('shared');
    const database = new DatabaseSync(fileOf('shared'));
    database.exec(`UPDATE entries SET name = 'Band', item_number = 'B 1' WHERE language = 'de-de'`);
    const gtins = database.prepare(`SELECT gtin FROM entries WHERE language = 'de-de' AND archived = 0 ORDER BY gtin`);
    const first = gtins.all().map(({ gtin }) => String(gtin));
    expect(first.length).toBeGreaterThan(3);
    const { named } = readProductIndex(database);
    for (const names of [['Band'], ['B 1'], ['B 1', 'Band', 'Other']])
      expect(named('de-de', names, 3).map(({ gtin }) => gtin)).toEqual(first.slice(0, 3));
    expect(named('en-gb', ['Band'], 3)).toEqual([]);
    database.close();
  });

  it('is rebuilt when it can not be read', () => {
    const damaged = new DatabaseSync(fileOf('damaged'));
    damaged.exec('CREATE TABLE other (x); PRAGMA user_version = 77');
    damaged.close();
    expect(update('damaged').everything).toBe(true);
    expect(update('damaged').everything).toBe(false);
  });
});
