import type { Loader } from 'astro/loaders';
import { expect, it } from 'vitest';
import { defineConfig } from '#config/index.ts';
import { createCollection } from '../../catalogue/testing/create-loader-context.ts';
import { languages, writeSnapshot } from '../../catalogue/testing/write-snapshot.ts';
import { localPageLoader } from './local-loaders.ts';

const options = defineConfig({
  site: { name: 'Haldenwerk' },
  maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
  mainLanguage: 'de-de',
});
const folder = writeSnapshot({ records: { language: languages('de-de', 'en-gb') } });

/** Loads pages as Astro finds them: id -> file. */
async function load(pages: Record<string, string>): Promise<string[]> {
  const files: Loader = {
    name: 'files',
    load: async ({ store }) => {
      for (const [id, filePath] of Object.entries(pages)) store.set({ id, data: {}, filePath, digest: id });
    },
  };
  const collection = createCollection(folder);
  await collection.load(localPageLoader(options, files));
  return collection.warnings;
}

it('warns of each folder of no language, and of pages on an address of the catalogue', async () => {
  expect(
    await load({
      'de-de/imprint': 'content/pages/de-de/imprint.mdx',
      'de/imprint': 'content/pages/de/imprint.mdx',
      'de/privacy': 'content/pages/de/privacy.mdx',
      'en-gb/products': 'content/pages/en-gb/products.mdx',
    }),
  ).toEqual([
    expect.stringMatching(/^content\/pages\/de\/: "de" isn't a language of the site.*de-de\/, en-gb\//),
    expect.stringMatching('^content/pages/en-gb/products.mdx is skipped'),
  ]);
});

it('refuses a file whose name an address writes in another way', async () => {
  await expect(load({ 'de-de/über-uns': 'content/pages/de-de/Über uns.mdx' })).rejects.toMatchObject({
    code: 'PAGE_MISNAMED',
    hint: expect.stringContaining('Rename it to de-de/über-uns.mdx'),
  });
});
