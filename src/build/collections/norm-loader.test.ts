import type { Loader } from 'astro/loaders';
import { expect, it } from 'vitest';
import { createCollection } from '../../catalogue/testing/create-loader-context.ts';
import { normLoader } from './local-loaders.ts';

/** Loads norms as files would bring them: name of the file -> the norm that it says it is about. */
async function load(norms: Record<string, string>): Promise<void> {
  const files: Loader = {
    name: 'files',
    load: async ({ store }) => {
      for (const [id, norm] of Object.entries(norms)) store.set({ id, data: { norm }, digest: id });
    },
  };
  await createCollection('').load(normLoader(files));
}

it('takes a file by the name of its norm, however that is written', async () => {
  await load({ 'en-1928': 'DIN EN 1928:2000-07', 'en-iso-12572': 'EN ISO 12572' });
});

it('refuses a file that would tell of one norm what is written of another', async () => {
  await expect(load({ 'en-1928': 'EN 1109' })).rejects.toMatchObject({
    code: 'NORM_MISNAMED',
    message: 'content/norms/en-1928.yaml is about "EN 1109", but is named after another norm.',
    hint: expect.stringContaining('Rename it to en-1109.yaml'),
  });
});
