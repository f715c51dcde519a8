import type { Loader } from 'astro/loaders';
import { normSlug } from '#catalogue/norms/norm-slug.ts';
import { SortimentError } from '#contracts/index.ts';
import { normEntry } from '#model/entries.ts';

/**
 * Collection `norms`: texts about norms. Pages find the text of a norm by file name, so each file has to be named after
 * its norm.
 * @param files Reads the files.
 * @throws SortimentError NORM_MISNAMED
 */
export function normLoader(files: Loader): Loader {
  return {
    name: 'sortiment-norms',
    load: async (context) => {
      await files.load(context);
      for (const [id, { data, filePath = `content/norms/${id}.yaml` }] of context.store.entries()) {
        const { norm } = normEntry.pick({ norm: true }).parse({ norm: data['norm'] });
        const slug = normSlug(norm);
        if (slug === id) continue;
        throw new SortimentError('NORM_MISNAMED', `${filePath} is about "${norm}", but is named after another norm.`, {
          hint: `Rename it to ${slug}.yaml, or correct \`norm\`. If that file already exists, delete one of them.`,
        });
      }
    },
  };
}
