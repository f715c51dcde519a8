import {
  SEARCH_KINDS,
  SEARCH_PARTS_FILE,
  searchPartFolder,
  searchTextFolder,
  type SearchKind,
  type SearchMeta,
  type SearchParts,
} from '#catalogue/addresses/search-files.ts';
import { readJson } from '../find-element.ts';

/** What the search needs of Pagefind's script, which lies beside the first part of its index. */
interface PagefindScript {
  createInstance(options: Record<string, unknown>): Pagefind;
}

interface Pagefind {
  preload(query: string): Promise<void>;
  mergeIndex(folder: string, options?: Record<string, unknown>): Promise<void>;
  search(query: string, options?: { filters?: Record<string, string> }): Promise<PagefindAnswer>;
}

interface PagefindAnswer {
  results: { score: number; data(): Promise<TextHit> }[];
}

export interface TextHit {
  url: string;
  meta: SearchMeta;
}

export interface TextAnswer {
  count: number;
  /** Reads some of the hits. */
  hits(from: number, to: number): Promise<TextHit[]>;
}

/** Words of the title and numbers count for more than those of the text. */
const META_WEIGHTS = { title: 8, item_number: 6, gtin: 6, family: 4, text: 2, image: 0, lang: 0 };

/** Who looks for a name is after the product rather than what was written of it. */
const KIND_WEIGHTS: Record<SearchKind, number> = { product: 1.5, post: 1, episode: 1, page: 1 };

/**
 * Loads Pagefind and the heads of its index, part by part.
 * @returns Searches in the texts of a language.
 * @throws Error when one of them can't be had: open it again then.
 */
export async function openPagefind(
  language: string,
): Promise<(query: string, kind: SearchKind | undefined) => Promise<TextAnswer>> {
  const address = `${searchPartFolder(language, 0)}pagefind.js`;
  const [script, { parts }] = await Promise.all([
    import(/* @vite-ignore */ address) as Promise<PagefindScript>,
    readJson<SearchParts>(`${searchTextFolder(language)}${SEARCH_PARTS_FILE}`),
  ]);
  const ranking = { metaWeights: META_WEIGHTS };
  // An instance that lacks a part is never complete again. A catalogue's index is small: a thread costs more than the
  // search.
  const pagefind = script.createInstance({ noWorker: true, ranking });
  // The other parts wait for the first for ever, so whether it can be had is asked by itself.
  await pagefind.preload('');
  const others = Array.from({ length: parts - 1 }, (_, i) => searchPartFolder(language, i + 1));
  await Promise.all(others.map((folder) => pagefind.mergeIndex(folder, { ranking })));
  return async (query, kind) => {
    const found = await Promise.all((kind ? [kind] : SEARCH_KINDS).map((one) => searchKind(pagefind, query, one)));
    const results = found.flat().toSorted((a, b) => b.score - a.score);
    return {
      count: results.length,
      hits: (from, to) => Promise.all(results.slice(from, to).map((result) => result.data())),
    };
  };
}

async function searchKind(pagefind: Pagefind, query: string, kind: SearchKind): Promise<PagefindAnswer['results']> {
  const { results } = await pagefind.search(query, { filters: { kind } });
  return results.map((result) => ({ score: result.score * KIND_WEIGHTS[kind], data: () => result.data() }));
}
