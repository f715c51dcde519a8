import { hash } from 'node:crypto';
import { fileAt } from '#catalogue/addresses/base.ts';
import {
  SEARCH_PARTS_FILE,
  searchPartFolder,
  searchTextFolder,
  type SearchParts,
} from '#catalogue/addresses/search-files.ts';
import { CATEGORY, EPISODE, PAGE, PODCAST, POST, SHOW, TAG, type SyncedKind } from '#contracts/synced/index.ts';
import { hashParts } from '#files/hash-parts.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';

/** What the search tells of. */
const SEARCHED: readonly SyncedKind[] = [POST, PAGE, EPISODE, PODCAST, SHOW, CATEGORY, TAG];

/** Counted up when the same content gives other files. */
const INDEX_VERSION = 3;

/**
 * Pagefind takes 100 kB of memory for each product while it makes an index; and whoever searches reads the head of each
 * part.
 */
const PRODUCTS_IN_PART = 5000;

/** The index of the text search. */
export const searchText = searchTextInParts(PRODUCTS_IN_PART);

/**
 * The index of the text search, a folder for each language, in parts that are made only when something that is searched
 * in them has changed. Posts, episodes and pages are in the first.
 * @param productsInPart How many at most, or a few more: which part one is in depends on its GTIN, and on how many parts
 *   there are.
 */
export function searchTextInParts(productsInPart: number): FileGenerator {
  return {
    name: 'search-text',
    takesChanges: true,
    update: async (context) => {
      const { languages, productIndex, snapshot, put, keep } = context;
      const families = snapshot.families().map(({ id, names }) => [id, names]);
      const articles = articlesDigest(snapshot);
      for (const { code } of languages) {
        const parts = hashParts(productIndex.count(code), productsInPart);
        for (const [number, products] of parts.entries()) {
          const isFirst = number === 0;
          const basis = [INDEX_VERSION, productIndex.searchDigest(code, products), families, isFirst && articles];
          const key = hash('sha1', JSON.stringify(basis), 'base64url');
          const folder = fileAt(searchPartFolder(code, number));
          if (keep(folder.slice(0, -1), key)) continue;
          // Loaded only when one is to be made: mostly none is.
          const { makeTextIndex } = await import('./make-text-index.ts');
          const made = await makeTextIndex(context, code, { products, isFirst });
          for (const { path, content } of made) put(`${folder}${path}`, content, key);
          removeOthers(context, folder, new Set(made.map(({ path }) => `${folder}${path}`)));
        }
        const list: SearchParts = { parts: parts.length };
        put(`${fileAt(searchTextFolder(code))}${SEARCH_PARTS_FILE}`, JSON.stringify(list), `${parts.length} parts`);
        // There have been more, of a larger assortment.
        for (let number = parts.length; removeOthers(context, fileAt(searchPartFolder(code, number))); number++);
      }
    },
  };
}

/** Removes files of an earlier index. @param folder With a slash at its end. @returns Whether there were any files. */
function removeOthers({ files, remove }: GeneratorContext, folder: string, present?: ReadonlySet<string>): boolean {
  const there = files(folder.slice(0, -1));
  for (const { file } of there) if (!present?.has(file)) remove(file);
  return there.length > 0;
}

/** Names everything that the search knows of posts, episodes and pages is made of. */
function articlesDigest(snapshot: Pick<SnapshotReader, 'records' | 'asset'>): string {
  const digests = SEARCHED.map((kind) => [...snapshot.records(kind)].map(({ id, digest }) => [id, digest]));
  const transcripts = [...snapshot.records(EPISODE)].map((episode) =>
    episode.transcripts.map((url) => snapshot.asset(url, 'transcript')?.digest),
  );
  return hash('sha1', JSON.stringify([digests, transcripts]), 'base64url');
}
