import { productPath } from '#catalogue/addresses/paths.ts';
import {
  type SearchKind,
  SEARCH_KINDS,
  NUMBERS_LIST,
  searchNumbersFolder,
  type NumbersFile,
  type NumbersList,
} from '#catalogue/addresses/search-files.ts';
import type { DirectoryRow } from '#catalogue/port/directory.ts';
import { foldNumber } from '#catalogue/directory/fold-number.ts';
import { unpackNumbers } from '#catalogue/directory/pack-numbers.ts';
import { normQuery } from '#catalogue/norms/norm-base.ts';
import { readJson } from '../find-element.ts';
import { numberQuery, type NumberQuery } from './number-query.ts';
import { openPagefind, type TextHit } from './open-pagefind.ts';
import { toHit } from './show-hits.ts';

/** Maximum number of partial matches. */
const MAX_PARTIAL = 60;

export interface SearchResults {
  /** Path of the only product with exactly this number. */
  only: string | undefined;
  count: number;
  /** Problem with the number. */
  problem: NumberQuery['problem'];
  /** Returns a range of the hits. */
  hits(from: number, to: number): Promise<TextHit[]>;
}

/** @returns A function that searches numbers and texts; data is loaded on demand. */
export function createSearch(
  language: string,
): (query: string, kind: SearchKind | undefined) => Promise<SearchResults> {
  const findNumbers = openNumbers(language);
  let texts: ReturnType<typeof openPagefind> | undefined;
  const openTexts = (): ReturnType<typeof openPagefind> => {
    texts ??= openPagefind(language);
    // Retries after a failure.
    texts.catch(() => (texts = undefined));
    return texts;
  };
  return async (query, kind) => {
    const number = kind === undefined || kind === 'product' ? numberQuery(query) : undefined;
    const { exact, partial } = number ? await findNumbers(number) : { exact: [], partial: [] };
    const [only] = exact;
    const first = [...exact, ...partial].map((row) => toHit(row, language));
    const known = new Set(first.map(({ url }) => url));
    // A sequence of digits occurs in no text other than those of the matching products.
    const isEnough = first.length > 0 && number?.digits !== undefined;
    const found = isEnough ? undefined : await (await openTexts())(normQuery(query), kind);
    const rest = found && known.size > 0 ? await found.hits(0, Math.min(found.count, MAX_MIXED)) : undefined;
    const mixed = rest && [...first, ...rest.filter(({ url }) => !known.has(url))];
    const list = found ? mixed : first;
    return {
      only: exact.length === 1 && only ? productPath(language, only.slug) : undefined,
      problem:
        exact.length > 0 || (number?.problem === 'check-digit' && partial.length > 0) ? undefined : number?.problem,
      count: list?.length ?? found?.count ?? 0,
      hits: async (from, to) => (list ? list.slice(from, to) : ((await found?.hits(from, to)) ?? [])),
    };
  };
}

/** Maximum number of text hits to merge with number hits. */
const MAX_MIXED = 40;

/** Reads the query of the page's URL: `?q=` and `?kind=`. */
export function readSearchUrl(): { query: string; kind: SearchKind | undefined } {
  const parameters = new URLSearchParams(location.search);
  const kind = SEARCH_KINDS.find((name) => name === parameters.get('kind'));
  return { query: parameters.get('q')?.trim() ?? '', kind };
}

/** Updates the page's URL, so that it can be shared. */
export function replaceSearchUrl(query: string, kind: SearchKind | undefined): void {
  const parameters = new URLSearchParams({ ...(query !== '' && { q: query }), ...(kind && { kind }) });
  const search = parameters.size > 0 ? `?${parameters}` : '';
  if (search !== location.search) history.replaceState(history.state, '', `${location.pathname}${search}`);
}

/** Messages of the search in the language of the page, used as plain text. */
export interface SearchTexts {
  /** With `{count}`. */
  count: string;
  none: string;
  loading: string;
  failed: string;
  opening: string;
  'check-digit': string;
  'packaging-level': string;
}

/** @returns A function that finds products by number; files are fetched once, on demand. */
function openNumbers(language: string): (query: NumberQuery) => Promise<NumberMatches> {
  const folder = searchNumbersFolder(language);
  const cache = new Map<string, Promise<unknown>>();
  const read = async <T>(file: string, use: (content: T) => unknown): Promise<unknown> => {
    const cached = cache.get(file) ?? readJson<T>(`${folder}${file}`).then(use);
    cache.set(file, cached);
    // Retries after a failure.
    cached.catch(() => cache.delete(file));
    return cached;
  };
  const list = () => read<NumbersList>(NUMBERS_LIST, (content) => content) as Promise<NumbersList>;
  const rowsOf = (file: string) =>
    read<NumbersFile>(file, (content) => unpackNumbers(content, language)) as Promise<DirectoryRow[]>;
  return async (query) => {
    const { files } = await list();
    const { gtin13 } = query;
    if (gtin13 !== undefined) {
      const range = files.find(({ first, last }) => first <= gtin13 && gtin13 <= last);
      const { exact } = matchNumbers(range ? await rowsOf(range.file) : [], { ...query, folded: gtin13 }, 0);
      if (exact.length > 0) return { exact, partial: [] };
    }
    const found: NumberMatches = { exact: [], partial: [] };
    for (const { file } of files) {
      const { exact, partial } = matchNumbers(await rowsOf(file), query, MAX_PARTIAL - found.partial.length);
      found.exact.push(...exact);
      found.partial.push(...partial);
    }
    return found;
  };
}

interface NumberMatches {
  /** Products with exactly this number: item numbers need not be unique. */
  exact: DirectoryRow[];
  /** Products with this sequence in a number. */
  partial: DirectoryRow[];
}

export function matchNumbers(
  rows: readonly DirectoryRow[],
  { folded, gtin13, digits }: NumberQuery,
  limit: number,
): NumberMatches {
  const exact: DirectoryRow[] = [];
  const partial: DirectoryRow[] = [];
  for (const row of rows) {
    const item = foldNumber(row.item_number);
    if (row.gtin === gtin13 || item === folded) exact.push(row);
    else if (partial.length < limit && (item.includes(folded) || (digits !== undefined && row.gtin.includes(digits))))
      partial.push(row);
  }
  return { exact, partial };
}
