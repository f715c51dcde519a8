import { afterEach, expect, it } from 'vitest';
import { createProduct, languages } from '#catalogue/testing/write-snapshot.ts';
import type { FileGenerator } from './generator.ts';
import { openTestSite, type TestSite } from './testing/test-generators.ts';

const GTINS = ['9524010000016', '9524010000023', '9524010000030'];

const content = (names: readonly string[]) => ({
  records: { language: languages('de-de') },
  products: names.flatMap((name, position) =>
    name === '' ? [] : { language: 'de-de', record: createProduct({ name, gtin: GTINS[position] ?? '' }), position },
  ),
});

/** A file for each product, of those that have changed only, and a list of them. */
const perProduct: FileGenerator = {
  name: 'per product',
  takesChanges: true,
  update: ({ changes, productIndex, put, remove, files }) => {
    const gtins = changes
      ? [...changes.products].map((place) => place.slice('de-de/'.length))
      : productIndex.index().map(({ data }) => data.gtin);
    for (const gtin of gtins) {
      const product = productIndex.product('de-de', gtin);
      if (product) put(`names/${gtin}.txt`, product.name, productIndex.digestOf(product));
      else remove(`names/${gtin}.txt`);
    }
    put(
      'list.txt',
      files('names')
        .map(({ file, bytes, digest }) => `${file} ${bytes} ${digest.slice(0, 4)}`)
        .join('\n'),
    );
  },
};

/** These files, each with a picture. */
const named = (...files: string[]): FileGenerator => ({
  name: 'named',
  update: ({ put }) => {
    for (const file of files) put(file, '/_images/0123456789abcdef-640.avif');
  },
});

let site: TestSite;
afterEach(() => site.close());

it('makes of what has changed what it would make of everything, and writes only that', async () => {
  site = openTestSite(content(['A', 'B', '']));
  await site.update([perProduct]);
  expect([...site.files.keys()].toSorted()).toEqual(['list.txt', `names/${GTINS[0]}.txt`, `names/${GTINS[1]}.txt`]);
  // Renamed, gone and new.
  site.write(content(['A2', '', 'C']));
  await site.update([perProduct]);
  expect(site.written.toSorted()).toEqual(['list.txt', `names/${GTINS[0]}.txt`, `names/${GTINS[2]}.txt`]);
  const kept = new Map([...site.files].toSorted());
  await site.update([perProduct], { fromScratch: true });
  expect(new Map([...site.files].toSorted())).toEqual(kept);
});

it('leaves files of the same key alone when everything is looked at, but not those that have been damaged', async () => {
  site = openTestSite(content(['A', 'B', 'C']));
  await site.update([perProduct]);
  site.write({ ...content(['A', 'B2', 'C']), assets: [{ url: 'https://media.example/a.png', kind: 'image' }] });
  site.files.set(`names/${GTINS[2]}.txt`, 'damaged');
  await site.update([perProduct]);
  expect(site.written.toSorted()).toEqual(['list.txt', `names/${GTINS[1]}.txt`, `names/${GTINS[2]}.txt`]);
  await site.update([perProduct], { fromScratch: true });
  expect(site.written).toHaveLength(4);
});

it('removes what a generator no longer names, and all files of a generator that is gone', async () => {
  site = openTestSite(content(['A']));
  await site.update([named('a.txt', 'b.txt')]);
  const updated = await site.update([named('a.txt')]);
  expect(updated.gone).toEqual(['b.txt']);
  expect([...updated.before]).toEqual(['/_images/0123456789abcdef-640.avif']);
  expect((await site.update([])).gone).toEqual(['a.txt']);
});

it('makes other files while a generator waits, and tells of a failure when nothing is written any more', async () => {
  site = openTestSite(content(['A']));
  for (const fails of [false, true]) {
    const { promise: othersRan, resolve: run } = Promise.withResolvers<void>();
    const waiting: FileGenerator = {
      name: 'waiting',
      update: async ({ put }) => {
        await othersRan;
        put('late.txt', String(fails));
      },
    };
    const other: FileGenerator = {
      name: 'other',
      update: ({ put }) => {
        put('soon.txt', String(fails));
        run();
        if (fails) throw new Error('no such size');
      },
    };
    const updated = site.update([waiting, other]);
    if (fails) await expect(updated).rejects.toThrow('no such size');
    else await updated;
    expect(Object.fromEntries(site.files)).toEqual({ 'late.txt': String(fails), 'soon.txt': String(fails) });
  }
});

it('keeps a folder whose key is the same', async () => {
  site = openTestSite(content(['A']));
  let made = 0;
  const folder = (key: string): FileGenerator => ({
    name: 'folder',
    update: ({ keep, put }) => {
      if (keep('index', key)) return;
      made++;
      put('index/a.bin', new Uint8Array([1, 2]), key);
    },
  });
  for (const key of ['1', '1', '2']) await site.update([folder(key)]);
  expect(made).toBe(2);
  expect([...site.files.keys()]).toEqual(['index/a.bin']);
});

it('leaves files of public/ to the person who put them there, and refuses what would take the place of a page', async () => {
  site = openTestSite(content(['A']));
  await site.update([named('robots.txt')]);
  const { gone } = await site.update([named('robots.txt')], { publicFiles: new Set(['robots.txt']) });
  expect([site.written, gone]).toEqual([[], []]);
  await expect(site.update([named('page/index.html')])).rejects.toThrow('is generated twice');
  for (const file of ['/a', 'a/../b', ''])
    await expect(site.update([named(file)])).rejects.toThrow('is not a path in the site');
});
