import type { Loader } from 'astro/loaders';
import { expect, it } from 'vitest';
import { createCollection } from '#catalogue/testing/create-loader-context.ts';
import { stringsLoader } from './strings-loader.ts';

/** Loads dictionaries as files would bring them. */
async function load(dictionaries: Record<string, Record<string, string>>): Promise<string[]> {
  const files: Loader = {
    name: 'files',
    load: async ({ store }) => {
      for (const [id, data] of Object.entries(dictionaries)) store.set({ id, data, digest: id });
    },
  };
  const collection = createCollection('');
  await collection.load(stringsLoader(files));
  return collection.warnings;
}

const de = { 'nav.home': 'Start', 'count.one': '{count} Produkt', 'count.other': '{count} Produkte' };

it('says what a language lacks, and what it has in vain', async () => {
  expect(await load({ de, fr: { 'nav.hone': 'Accueil', 'count.many': '{count}', 'count.other': '{count}' } })).toEqual([
    expect.stringMatching(/^content\/strings\/fr\.json lacks "nav\.home": .*de\.json/),
    expect.stringMatching(/^content\/strings\/fr\.json has "nav\.hone", which no page uses/),
  ]);
});

it('lets a region say only what it says in another way', async () => {
  expect(await load({ de, 'de-at': { 'nav.home': 'Servus' } })).toEqual([]);
});
