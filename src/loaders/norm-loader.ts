import type { Loader } from 'astro/loaders';
import { normSlug } from '#catalogue/norms/norm-slug.ts';
import { SortimentError } from '#contracts/index.ts';
import { normEntry } from '#model/entries.ts';

/**
 * Collection `norms`: what is written of norms. A page finds the text of its norm by the name of the file, so each file
 * has to be named after the norm that it is about.
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
          hint: `Name it ${slug}.yaml, or correct \`norm\`. If there is such a file already, delete one of them.`,
        });
      }
    },
  };
}
