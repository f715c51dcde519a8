import {
  SEARCH_KINDS,
  SEARCH_PARTS_FILE,
  searchPartFolder,
  searchTextFolder,
  type SearchKind,
  type SearchMeta,
  type SearchParts,
} from '../../catalogue/addresses/search-files.ts';
import { readJson } from '../read-json.ts';

/** What the search needs of Pagefind's script, which lies beside its index. */
interface Pagefind {
  options(options: Record<string, unknown>): Promise<void>;
  init(): Promise<void>;
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
const KIND_WEIGHTS: Record<SearchKind, number> = { product: 1.5, post: 1, page: 1 };

/** Loads Pagefind and the heads of its index, part by part. @returns Searches in the texts of a language. */
export async function openPagefind(
  language: string,
): Promise<(query: string, kind: SearchKind | undefined) => Promise<TextAnswer>> {
  const address = `${searchPartFolder(language, 0)}pagefind.js`;
  const [pagefind, { parts }] = (await Promise.all([
    import(/* @vite-ignore */ address),
    readJson(`${searchTextFolder(language)}${SEARCH_PARTS_FILE}`),
  ])) as [Pagefind, SearchParts];
  const ranking = { metaWeights: META_WEIGHTS };
  // A catalogue's index is small: the thread costs more than the search.
  await pagefind.options({ noWorker: true, ranking });
  await pagefind.init();
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
