import {
  SEARCH_KINDS,
  SEARCH_PARTS_FILE,
  searchPartFolder,
  searchTextFolder,
  type SearchKind,
  type SearchMeta,
  type SearchParts,
} from '#catalogue/addresses/site-paths.ts';
import { readJson } from '../find-element.ts';

/** The part of Pagefind's script that the search uses; located next to the first part of the index. */
interface PagefindScript {
  createInstance(options: Record<string, unknown>): Pagefind;
}

interface Pagefind {
  preload(query: string): Promise<void>;
  mergeIndex(folder: string, options?: Record<string, unknown>): Promise<void>;
  search(query: string, options?: { filters?: Record<string, string> }): Promise<PagefindResults>;
}

interface PagefindResults {
  results: { score: number; data(): Promise<TextHit> }[];
}

export interface TextHit {
  url: string;
  meta: SearchMeta;
}

export interface TextResults {
  count: number;
  /** Returns a range of the hits. */
  hits(from: number, to: number): Promise<TextHit[]>;
}

/** Words of titles and numbers weigh more than those of texts. */
const META_WEIGHTS = { title: 8, item_number: 6, gtin: 6, family: 4, text: 2, image: 0, lang: 0 };

/** A search for a name ranks the product above articles about it. */
const KIND_WEIGHTS: Record<SearchKind, number> = { product: 1.5, post: 1, episode: 1, page: 1 };

/**
 * Loads Pagefind and the heads of its index parts.
 *
 * @returns A function that searches texts of a language.
 * @throws Error if a part can't be loaded: call it again then.
 */
export async function openPagefind(
  language: string,
): Promise<(query: string, kind: SearchKind | undefined) => Promise<TextResults>> {
  const address = `${searchPartFolder(language, 0)}pagefind.js`;
  const [script, { parts }] = await Promise.all([
    import(/* @vite-ignore */ address) as Promise<PagefindScript>,
    readJson<SearchParts>(`${searchTextFolder(language)}${SEARCH_PARTS_FILE}`),
  ]);
  const ranking = { metaWeights: META_WEIGHTS };
  // An instance that lacks a part stays incomplete. The index is small, so a worker would cost more than the search.
  const pagefind = script.createInstance({ noWorker: true, ranking });
  // `mergeIndex` waits for the first part indefinitely, so load that separately.
  await pagefind.preload('');
  const otherParts = Array.from({ length: parts - 1 }, (_, i) => searchPartFolder(language, i + 1));
  await Promise.all(otherParts.map((folder) => pagefind.mergeIndex(folder, { ranking })));
  return async (query, kind) => {
    const found = await Promise.all(
      (kind ? [kind] : SEARCH_KINDS).map((single) => searchKind(pagefind, query, single)),
    );
    const results = found.flat().toSorted((a, b) => b.score - a.score);
    return {
      count: results.length,
      hits: (from, to) => Promise.all(results.slice(from, to).map((result) => result.data())),
    };
  };
}

async function searchKind(pagefind: Pagefind, query: string, kind: SearchKind): Promise<PagefindResults['results']> {
  const { results } = await pagefind.search(query, { filters: { kind } });
  return results.map((result) => ({ score: result.score * KIND_WEIGHTS[kind], data: () => result.data() }));
}
