import { openProductIndex } from '#catalogue/read-model/product-index.ts';
import { expect, it } from 'vitest';
import { defineConfig, type OptionsInput } from '#config/index.ts';
import { updateProductIndex } from '#catalogue/read-model/update-product-index.ts';
import { contentDates } from '#catalogue/read-model/articles.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { snapshotLoaders } from './snapshot-loaders.ts';
import { createCollection } from '../../catalogue/testing/create-loader-context.ts';
import {
  byId,
  createPage,
  createPost,
  createProduct,
  languages,
  writeSnapshot,
  type SnapshotContent,
} from '../../catalogue/testing/write-snapshot.ts';

const optionsOf = (input: Partial<OptionsInput> = {}) =>
  defineConfig({
    site: { name: 'Haldenwerk' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
    mainLanguage: 'de-de',
    ...input,
  });

const content: SnapshotContent = {
  digest: 'abc',
  products: [{ language: 'de-de', record: createProduct() }],
  records: {
    language: languages('en-gb', 'de-de', 'fr-fr'),
    family: byId(
      { id: 'tapes', names: { de: 'Bänder' }, descriptions: {} },
      { id: 'membranes', names: { de: 'Bahnen' }, descriptions: { de: 'Für die Fläche.' } },
    ),
    media: byId({
      id: 7,
      slug: 'wall',
      title: 'Wall',
      url: 'https://journal.example/uploads/wall.jpg',
      mimeType: 'image/jpeg',
      alt: 'A wall',
      caption: '<p>A wall</p>',
      modified: '2026-11-01T00:00:00Z',
    }),
    post: byId(createPost({ id: 1, slug: 'kleben', modified: '2026-10-01T00:00:00Z' })),
    page: byId(createPage({ id: 2, slug: 'kontakt', modified: '2026-09-01T00:00:00Z' })),
  },
  assets: [
    {
      url: 'https://journal.example/uploads/wall.jpg',
      kind: 'image',
      digest: 'ab'.repeat(32),
      file: 'ab/c.jpg',
      bytes: 1234,
      mimeType: 'image/jpeg',
      width: 1600,
      height: 900,
    },
  ],
};

async function load(loader: Parameters<ReturnType<typeof createCollection>['load']>[0], snapshot = content) {
  const collection = createCollection(writeSnapshot(snapshot));
  await collection.load(loader);
  return [...collection.entries.values()].map(({ id, data }) => ({ id, ...data }));
}

it('gives the languages in the interface’s order, and marks the main one', async () => {
  expect(await load(snapshotLoaders(optionsOf()).languages)).toEqual([
    { id: 'en-gb', code: 'en-gb', name: 'en-gb', position: 0, main: false },
    { id: 'de-de', code: 'de-de', name: 'de-de', position: 1, main: true },
    { id: 'fr-fr', code: 'fr-fr', name: 'fr-fr', position: 2, main: false },
  ]);
});

it('gives the chosen languages only', async () => {
  const chosen = await load(snapshotLoaders(optionsOf({ languages: ['fr-fr', 'de-de'] })).languages);
  expect(chosen.map(({ id }) => id)).toEqual(['de-de', 'fr-fr']);
});

it('warns of a language that the interface does not list', async () => {
  const collection = createCollection(writeSnapshot(content));
  await collection.load(snapshotLoaders(optionsOf({ mainLanguage: 'it-it', languages: ['de-de', 'fr-ch'] })).languages);
  expect(collection.warnings).toEqual([
    expect.stringMatching('names it-it, fr-ch, .*en-gb, de-de, fr-fr.*Correct `languages` or `mainLanguage`'),
  ]);
});

it('fails for a language without a currency', async () => {
  const currency = { 'de-de': 'EUR', en: 'GBP' };
  const { languages: loader } = snapshotLoaders(optionsOf({ price: { currency } }));
  await expect(load(loader)).rejects.toThrow('"price.currency" has no currency for fr-fr.');
});

it('has the main language where no product interface lists any', async () => {
  const alone = await load(snapshotLoaders(optionsOf()).languages, { records: {} });
  expect(alone).toEqual([{ id: 'de-de', code: 'de-de', name: 'Deutsch (Deutschland)', position: 0, main: true }]);
});

it('gives the families in the assortment’s order', async () => {
  expect(await load(snapshotLoaders(optionsOf()).families)).toMatchObject([
    { id: 'tapes', position: 0 },
    { id: 'membranes', names: { de: 'Bahnen' }, descriptions: { de: 'Für die Fläche.' }, position: 1 },
  ]);
});

it('writes what has changed, leaves the rest, and removes what is gone', async () => {
  const folder = writeSnapshot(content);
  const collection = createCollection(folder);
  const loader = snapshotLoaders(optionsOf()).families;
  await collection.load(loader);
  const tapes = collection.entries.get('tapes');
  const [tape] = byId({ id: 'tapes', names: { de: 'Bänder' }, descriptions: {} });
  writeSnapshot({ ...content, records: { ...content.records, family: tape ? [tape] : [] } }, folder);
  await collection.load(loader);
  expect([...collection.entries.keys()]).toEqual(['tapes']);
  expect(collection.entries.get('tapes')).toBe(tapes);
  expect(collection.lines).toEqual([
    '2 entries, 2 new or changed, 0 removed',
    '1 entries, 0 new or changed, 1 removed',
  ]);
});

it('leaves a collection as it was when an entry of it is wrong', async () => {
  const folder = writeSnapshot(content);
  const collection = createCollection(folder);
  const loader = snapshotLoaders(optionsOf()).families;
  await collection.load(loader);
  const before = new Map(collection.entries);
  const wrong = byId({ id: 'tapes', names: { de: 'Bänder' } }, { id: 'membranes', names: 7 });
  writeSnapshot({ ...content, records: { ...content.records, family: wrong } }, folder);
  await expect(collection.load(loader)).rejects.toThrow();
  expect(collection.entries).toEqual(before);
});

it('says what to do when there is no snapshot', async () => {
  await expect(
    createCollection('/nonexistent/project').load(snapshotLoaders(optionsOf()).families),
  ).rejects.toMatchObject({
    code: 'SNAPSHOT_MISSING',
    hint: expect.stringContaining('npm run sync'),
  });
});

it('gives media with the image that was fetched', async () => {
  expect(await load(snapshotLoaders(optionsOf()).media)).toMatchObject([
    {
      id: '7',
      title: 'Wall',
      bytes: 1234,
      image: { digest: 'abababababababab', alt: 'A wall', caption: '<p>A wall</p>' },
    },
  ]);
});

it('says what pages are built from', async () => {
  expect(await load(snapshotLoaders(optionsOf()).snapshot)).toEqual([
    { id: 'current', digest: 'abc', taken: new Date('2026-11-20T08:00:00Z'), stale: [] },
  ]);
});

it('says of which source the last run had to go without, and how old its content is', async () => {
  const sources = [
    { name: 'product', lastSuccess: '2026-11-18T08:00:00Z', failedSince: '2026-11-19T08:00:00Z' },
    { name: 'publishing', lastSuccess: '2026-11-20T08:00:00Z', failedSince: undefined },
  ] as const;
  expect(await load(snapshotLoaders(optionsOf()).snapshot, { ...content, sources: [...sources] })).toMatchObject([
    { stale: [{ name: 'product', asOf: new Date('2026-11-18T08:00:00Z') }] },
  ]);
});

it('knows when the content of a page last changed, or came into the archive', () => {
  const gone = { name: 'DIFFRANA Alt', gtin: '9524010000023' };
  const archived = { language: 'de-de', record: createProduct(gone), state: 'gone', changedAt: '2027-03-01T08:00:00Z' };
  const withArchive = { ...content, products: [...(content.products ?? []), archived] };
  const options = optionsOf({ languages: ['de-de'] });
  const snapshotPath = `${writeSnapshot(withArchive)}/.sortiment/snapshot.sqlite`;
  updateProductIndex(`${snapshotPath}.product-index`, snapshotPath, options);
  const productIndex = openProductIndex(`${snapshotPath}.product-index`);
  const snapshot = openSnapshot(snapshotPath, { readOnly: true });
  const dateOf = contentDates(snapshot, options, productIndex);
  expect(dateOf('/de-de/p/diffrana-vario-75-9524010000016/')).toBe('2026-11-20T08:00:00.000Z');
  expect(dateOf('/de-de/p/diffrana-alt-9524010000023/')).toBe('2027-03-01T08:00:00.000Z');
  expect(dateOf('/de-de/journal/kleben/')).toBe('2026-10-01T00:00:00Z');
  expect(dateOf('/de-de/kontakt/')).toBe('2026-09-01T00:00:00Z');
  // Lists have the date of the latest change.
  for (const place of ['/', '/de-de/', '/de-de/products/', '/de-de/norms/en-1931/', '/de-de/imprint/'])
    expect(dateOf(place)).toBe(snapshot.takenAt());
  productIndex.close();
  snapshot.close();
});
