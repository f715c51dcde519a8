import path from 'node:path';
import { expect, describe, it } from 'vitest';
import { defineConfig, type OptionsInput } from '#config/index.ts';
import { snapshotLoaders } from '#build/collections/snapshot-loaders.ts';
import { createCollection } from '#catalogue/testing/create-loader-context.ts';
import {
  byId,
  createPage,
  createPost,
  createProduct,
  languages,
  writeSnapshot,
} from '#catalogue/testing/write-snapshot.ts';
import type { ChangeEntry } from '../entries/entries.ts';
import { openSnapshot } from '#snapshot/index.ts';

const GTIN = '9524010000016';
const createChange = (changes: Record<string, unknown> = {}) => ({
  kind: 'product',
  id: GTIN,
  language: 'de-de',
  name: 'DIFFRANA Vario 75',
  change: 'changed',
  fields: [{ field: 'intro', before: 'a', after: 'b' }],
  ...changes,
});

type Changes = ReturnType<typeof createChange>[];

/** Runs from the oldest to the newest, each with its changes; undefined is a run that changed nothing. */
async function load(
  runs: (Changes | undefined)[],
  input: Partial<OptionsInput> = {},
  unlisted = 0,
): Promise<ChangeEntry[]> {
  const folder = writeSnapshot({
    records: {
      language: languages('de-de', 'en-gb'),
      post: byId(createPost({ id: 7, slug: 'luftdicht' })),
      page: byId(createPage({ id: 8, slug: 'kontakt' })),
    },
    products: [
      { language: 'de-de', record: createProduct() },
      { language: 'en-gb', record: createProduct() },
    ],
  });
  const snapshot = openSnapshot(path.join(folder, '.sortiment/snapshot.sqlite'));
  const insert = snapshot.database.prepare('INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  for (const [i, changes] of runs.entries()) {
    const at = new Date(Date.UTC(2026, 10, 1, i)).toISOString();
    const total = { added: 0, changed: (changes?.length ?? 0) + unlisted, removed: 0 };
    const report = changes && JSON.stringify({ changes, counts: { product: { '': total } }, problems: ['secret'] });
    insert.run(`run_${i}`, at, at, changes ? 1 : 0, `d${i}`, i === 0 ? null : `d${i - 1}`, 1, report ?? null);
  }
  snapshot.close();
  const options = defineConfig({
    site: { name: 'Haldenwerk' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
    mainLanguage: 'de-de',
    ...input,
  });
  const collection = createCollection(folder);
  await collection.load(snapshotLoaders(options).changes);
  return [...collection.entries.values()].map(({ data }) => data as ChangeEntry);
}

const changesOf = async (changes: Changes, input?: Partial<OptionsInput>) => (await load([changes], input))[0]?.changes;

describe('the public changes', () => {
  it('are those of the runs that changed something, newest first, linked by their digests', async () => {
    const runs = await load([
      [createChange()],
      undefined,
      [createChange(), createChange({ change: 'removed', fields: [] })],
    ]);
    expect(runs).toMatchObject([
      { digest: 'd2', previousDigest: 'd1', complete: true, changes: [{ change: 'changed' }, { change: 'removed' }] },
      { digest: 'd0', at: new Date('2026-11-01T00:00:00Z') },
    ]);
  });

  it('name a product, its page and the fields that differ, each once', async () => {
    const fields = ['attributes[0].value', 'attributes[1].value', 'intro', 'abas_id', 'position'];
    expect(
      await changesOf([createChange({ fields: fields.map((field) => ({ field, before: 'a', after: 'b' })) })]),
    ).toEqual([
      {
        kind: 'product',
        change: 'changed',
        gtin: GTIN,
        language: 'de-de',
        title: 'DIFFRANA Vario 75',
        path: `/de-de/p/diffrana-vario-75-${GTIN}/`,
        fields: ['attributes', 'intro'],
      },
    ]);
  });

  it('name posts and pages by title, with their address where they have one', async () => {
    const changes = [
      createChange({ kind: 'post', id: '7', language: undefined, name: 'Luftdicht' }),
      createChange({ kind: 'page', id: '8', language: undefined, name: 'Kontakt', change: 'added', fields: [] }),
      createChange({ kind: 'page', id: '99', language: undefined, name: 'Alt', change: 'removed', fields: [] }),
    ];
    expect(await changesOf(changes)).toEqual([
      {
        kind: 'post',
        change: 'changed',
        title: 'Luftdicht',
        language: 'de-de',
        path: '/de-de/journal/luftdicht/',
        fields: [],
      },
      { kind: 'page', change: 'added', title: 'Kontakt', language: 'de-de', path: '/de-de/kontakt/', fields: [] },
      { kind: 'page', change: 'removed', title: 'Alt', fields: [] },
    ]);
  });

  it.each([
    ['assets and how the catalogue is made', { kind: 'asset', id: 'https://internal.example/a.png' }],
    ['languages that are not built', { language: 'fr-fr' }],
    ['a number in the maker’s own books', { fields: [{ field: 'abas_id', before: '1', after: '2' }] }],
    ['a price, where prices are hidden', { fields: [{ field: 'price', before: 1, after: 2 }] }],
    ['another reading of the same record', { fields: [] }],
    ['a post that has only moved', { kind: 'post', id: '7', fields: [{ field: 'position', before: 1, after: 2 }] }],
  ])('say nothing of %s', async (_, change) => {
    expect(await changesOf([createChange(change)])).toEqual([]);
  });

  it('say what became of the availability', async () => {
    const fields = [{ field: 'availability', before: 'limited', after: 'available' }];
    expect(await changesOf([createChange({ fields })])).toMatchObject([
      { fields: ['availability'], availability: { before: 'limited', after: 'available' } },
    ]);
  });

  it.each<[OptionsInput['price'], unknown]>([
    [{ show: 'net' }, { before: '142.50', after: null, tax: 'net', currency: 'EUR' }],
    [
      { show: 'gross', vat: { 'de-de': 19 }, currency: 'CHF' },
      { before: '169.58', after: null, tax: 'gross', currency: 'CHF' },
    ],
  ])('state prices as the site does: %o', async (price, shown) => {
    const changes = [createChange({ fields: [{ field: 'price', before: '142.500' }] })];
    const [change] = (await changesOf(changes, price && { price })) ?? [];
    expect(change).toMatchObject({ fields: ['price'] });
    expect(change?.price).toEqual(shown);
  });

  it.each<OptionsInput['price']>([undefined, { show: 'gross' }, { show: { 'en-gb': 'net' } }])(
    'name no price among the fields where prices are hidden: %o',
    async (price) => {
      const fields = ['price', 'intro'].map((field) => ({ field, before: 'a', after: 'b' }));
      const [change] = (await changesOf([createChange({ fields })], price && { price })) ?? [];
      expect(change).toMatchObject({ fields: ['intro'] });
      expect(change).not.toHaveProperty('price');
    },
  );

  it('are bounded, and say where they are cut', async () => {
    const long = Array.from({ length: 600 }, () => createChange());
    expect((await load([long, long, long])).map(({ changes, complete }) => [changes.length, complete])).toEqual([
      [600, true],
      [400, false],
    ]);
    expect(await load(Array.from({ length: 60 }, () => [createChange()]))).toHaveLength(50);
  });

  it('are not whole where the stored report is not', async () => {
    expect(await load([[createChange()]], {}, 1)).toMatchObject([{ complete: false, changes: [{}] }]);
  });
});
