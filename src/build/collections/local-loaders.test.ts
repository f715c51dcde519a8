import type { Loader } from 'astro/loaders';
import { expect, it } from 'vitest';
import { defineConfig } from '#config/index.ts';
import { overlayEntry } from '#catalogue/entries/overlay-entry.ts';
import { createCollection } from '../../catalogue/testing/create-loader-context.ts';
import { createProduct, languages, writeSnapshot } from '../../catalogue/testing/write-snapshot.ts';
import { overlayLoader } from './local-loaders.ts';

const [A, B, C] = ['9524010000016', '9524010000023', '9524010000030'];
const UNKNOWN = '9524010000047';

const options = defineConfig({
  site: { name: 'Haldenwerk' },
  maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
  mainLanguage: 'de-de',
});
const folder = writeSnapshot({
  records: { language: languages('de-de', 'en-gb') },
  products: [
    { language: 'de-de', record: createProduct({ gtin: A, name: 'A' }), state: 'gone' },
    { language: 'de-de', record: createProduct({ gtin: B, name: 'B' }) },
    { language: 'de-de', record: createProduct({ gtin: C, name: 'C' }) },
  ],
});

/** Loads overlays as files would bring them: id -> frontmatter, and a text where one is given. */
async function load(overlays: Record<string, { successor?: string; body?: string }>): Promise<string[]> {
  const files: Loader = {
    name: 'files',
    load: async ({ store }) => {
      for (const [id, { body = '', ...data }] of Object.entries(overlays)) store.set({ id, data, body, digest: id });
    },
  };
  const collection = createCollection(folder);
  await collection.load(overlayLoader(options, files));
  return collection.warnings;
}

it('lets products follow each other, archived or not, in one language or in all', async () => {
  expect(await load({ [`de-de/${A}`]: { successor: B }, [B]: { successor: C }, [`en-gb/${C}`]: {} })).toEqual([]);
});

it('warns of a successor that has no page, and of a text in no language', async () => {
  expect(await load({ [`de-de/${A}`]: { successor: UNKNOWN }, [B]: { body: 'Text' } })).toEqual([
    expect.stringMatching(`^content/products/de-de/${A}.mdx: its successor ${UNKNOWN} has no page.*npm run sync`),
    expect.stringMatching(`^content/products/${B}.mdx: its text has no language`),
  ]);
});

it('warns of what is about no product, or in no language', async () => {
  expect(await load({ [`de-de/${UNKNOWN}`]: {}, [`de/${B}`]: {}, dampfbremse: {} })).toEqual([
    expect.stringMatching(`^content/products/de-de/${UNKNOWN}.mdx: its product has no page`),
    expect.stringMatching(/^content\/products\/de\/: "de" isn't a language of the site.*de-de\/, en-gb\//),
    expect.stringMatching(/^content\/products\/dampfbremse.mdx: the file name isn't a GTIN/),
  ]);
});

it.each([
  ['itself', { [`de-de/${A}`]: { successor: A } }, `${A} -> ${A}`],
  ['what follows it', { [`de-de/${A}`]: { successor: B }, [B]: { successor: A } }, `${A} -> ${B} -> ${A}`],
])('refuses a product that follows %s', async (_, overlays, circle) => {
  await expect(load(overlays)).rejects.toMatchObject({
    code: 'SUCCESSOR_CYCLE',
    message: `In de-de, successors form a cycle: ${circle}.`,
    hint: expect.stringContaining(`content/products/de-de/${A}.mdx`),
  });
});

it('takes a circle of one language for none where another breaks it', async () => {
  const overlays = { [A]: { successor: B }, [`de-de/${B}`]: { successor: C }, [`en-gb/${B}`]: { successor: C } };
  expect(await load(overlays)).toEqual([]);
});

it('reads a GTIN as people write it', () => {
  expect(overlayEntry.parse({ successor: 9524010000023 }).successor).toBe(B);
  expect(overlayEntry.parse({ successor: '9524010 00002 3' }).successor).toBe(B);
  const refused = overlayEntry.safeParse({ successor: '9524010000024' }).error?.issues[0]?.message;
  expect(refused).toContain('"9524010000024" has the check digit 4, but the other digits require 3');
});

it('says once which files are left from the demo, whatever they name and whatever folder they are in', async () => {
  const demo = ['9524010000085', '9524010000092', '9524010000160'];
  const left = demo.flatMap((gtin) => [gtin, `de-de/${gtin}`, `fr-fr/${gtin}`]);
  expect(await load(Object.fromEntries(left.map((id) => [id, { successor: UNKNOWN, body: 'Text' }])))).toEqual([
    expect.stringMatching(/^9 files in content\/products are for products of the demo.*9524010000085.*Delete them\.$/),
  ]);
});

it('names each file for an own product without a page', async () => {
  const own = ['4012345678901', '4006381333931'];
  expect(await load(Object.fromEntries(own.map((gtin) => [gtin, {}])))).toEqual(
    own.map((gtin) => expect.stringMatching(`^content/products/${gtin}.mdx: its product has no page`)),
  );
});
