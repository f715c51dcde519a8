import { productPath } from '#catalogue/addresses/paths.ts';
import {
  type SearchKind,
  SEARCH_KINDS,
  NUMBERS_LIST,
  searchNumbersFolder,
  type NumbersFile,
  type NumbersList,
} from '#catalogue/addresses/search-files.ts';
import type { DirectoryRow } from '#catalogue/directory/directory-row.ts';
import { foldNumber } from '#catalogue/directory/fold-number.ts';
import { unpackNumbers } from '#catalogue/directory/pack-numbers.ts';
import { normQuery } from '#catalogue/norms/norm-base.ts';
import { readJson } from '../find-element.ts';
import { numberQuery, type NumberQuery } from './number-query.ts';
import { openPagefind, type TextHit } from './open-pagefind.ts';
import { toHit } from './show-hits.ts';

/** As many as anybody looks through. */
const MAX_PARTIAL = 60;

export interface FoundHits {
  /** Path of the one product that has the number, which is then all that is asked for. */
  only: string | undefined;
  count: number;
  /** What is wrong with the number. */
  problem: NumberQuery['problem'];
  /** Reads some of the hits, in their order. */
  hits(from: number, to: number): Promise<TextHit[]>;
}

/** @returns Searches by number and in texts; what that takes is loaded when it is first needed. */
export function openFinder(language: string): (query: string, kind: SearchKind | undefined) => Promise<FoundHits> {
  const findNumbers = openNumbers(language);
  let texts: ReturnType<typeof openPagefind> | undefined;
  const openTexts = (): ReturnType<typeof openPagefind> => {
    texts ??= openPagefind(language);
    // What could not be had is asked for again.
    texts.catch(() => (texts = undefined));
    return texts;
  };
  return async (query, kind) => {
    const number = kind === undefined || kind === 'product' ? numberQuery(query) : undefined;
    const { exact, partial } = number ? await findNumbers(number) : { exact: [], partial: [] };
    const [only] = exact;
    const first = [...exact, ...partial].map((row) => toHit(row, language));
    const known = new Set(first.map(({ url }) => url));
    // Digits alone stand in no text that their numbers don't lead to.
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

/** Hits of the text search that are told from those of numbers. */
const MAX_MIXED = 40;

/** What the address of the page asks for: `?q=` and `?kind=`. */
export function readAddress(): { query: string; kind: SearchKind | undefined } {
  const parameters = new URLSearchParams(location.search);
  const kind = SEARCH_KINDS.find((name) => name === parameters.get('kind'));
  return { query: parameters.get('q')?.trim() ?? '', kind };
}

/** Keeps the address such that it can be shared. */
export function writeAddress(query: string, kind: SearchKind | undefined): void {
  const parameters = new URLSearchParams({ ...(query !== '' && { q: query }), ...(kind && { kind }) });
  const search = parameters.size > 0 ? `?${parameters}` : '';
  if (search !== location.search) history.replaceState(history.state, '', `${location.pathname}${search}`);
}

/** What the search says, in the language of the page; with its plain text where it names a number. */
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

/** @returns Finds products by number; files are fetched when they are needed, once. */
function openNumbers(language: string): (query: NumberQuery) => Promise<NumberMatches> {
  const folder = searchNumbersFolder(language);
  const kept = new Map<string, Promise<unknown>>();
  const read = async <T>(file: string, use: (content: T) => unknown): Promise<unknown> => {
    const known = kept.get(file) ?? readJson<T>(`${folder}${file}`).then(use);
    kept.set(file, known);
    // What could not be had is asked for again.
    known.catch(() => kept.delete(file));
    return known;
  };
  const list = () => read<NumbersList>(NUMBERS_LIST, (content) => content) as Promise<NumbersList>;
  const rowsOf = (file: string) =>
    read<NumbersFile>(file, (content) => unpackNumbers(content, language)) as Promise<DirectoryRow[]>;
  return async (query) => {
    const { files } = await list();
    const { gtin13 } = query;
    if (gtin13 !== undefined) {
      const place = files.find(({ first, last }) => first <= gtin13 && gtin13 <= last);
      const { exact } = matchNumbers(place ? await rowsOf(place.file) : [], { ...query, folded: gtin13 }, 0);
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
  /** Products that have this very number: item numbers need not be unique. */
  exact: DirectoryRow[];
  /** Those that have it somewhere in a number. */
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
