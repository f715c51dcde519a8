import { hash } from 'node:crypto';
import { searchTextFolder } from '../../catalogue/addresses/search-files.ts';
import type { Output, OutputContext } from '../outputs/output.ts';
import { writingsDigest } from './writings-digest.ts';

/** Counted up when the same content gives other files. */
const INDEX_VERSION = 2;

/** The index of the text search, a folder for each language; made only when something that is searched has changed. */
export const searchText: Output = {
  name: 'search-text',
  takesChanges: true,
  update: async (context) => {
    const { languages, listing, snapshot, put, keep } = context;
    const families = snapshot.families().map(({ id, names }) => [id, names]);
    const writings = writingsDigest(snapshot);
    for (const { code } of languages) {
      const basis = [INDEX_VERSION, listing.searchDigest(code), writings, families];
      const key = hash('sha1', JSON.stringify(basis), 'base64url');
      const folder = searchTextFolder(code).replaceAll(/^\/|\/$/g, '');
      if (keep(folder, key)) continue;
      // Loaded only when one is to be made: mostly none is.
      const { makeTextIndex } = await import('./make-text-index.ts');
      const made = await makeTextIndex(context, code);
      for (const file of made) put(`${folder}/${file.path}`, file.content, key);
      removeOthers(context, folder, new Set(made.map((file) => `${folder}/${file.path}`)));
    }
  },
};

/** Files of an earlier index. */
function removeOthers({ files, remove }: OutputContext, folder: string, present: ReadonlySet<string>): void {
  for (const { file } of files(folder)) if (!present.has(file)) remove(file);
}
