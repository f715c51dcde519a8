import {
  SEARCH_KINDS,
  searchTextFolder,
  type SearchKind,
  type SearchMeta,
} from '../../catalogue/addresses/search-files.ts';

/** What the search needs of Pagefind's script, which lies beside its index. */
interface Pagefind {
  options(options: Record<string, unknown>): Promise<void>;
  init(): Promise<void>;
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
const KIND_WEIGHTS: Record<SearchKind, number> = { product: 1.5, post: 1, page: 1 };

/** Loads Pagefind and the head of its index. @returns Searches in the texts of a language. */
export async function openPagefind(
  language: string,
): Promise<(query: string, kind: SearchKind | undefined) => Promise<TextAnswer>> {
  const address = `${searchTextFolder(language)}pagefind.js`;
  const pagefind = (await import(/* @vite-ignore */ address)) as Pagefind;
  // A catalogue's index is small: the thread costs more than the search.
  await pagefind.options({ noWorker: true, ranking: { metaWeights: META_WEIGHTS } });
  await pagefind.init();
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
