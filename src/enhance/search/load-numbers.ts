import { unpackNumbers } from '#catalogue/directory/pack-numbers.ts';
import type { DirectoryRow } from '#catalogue/directory/directory-row.ts';
import {
  NUMBERS_LIST,
  searchNumbersFolder,
  type NumbersFile,
  type NumbersList,
} from '#catalogue/addresses/search-files.ts';
import { readJson } from '../read-json.ts';
import { matchNumbers, type NumberMatches } from './match-numbers.ts';
import type { NumberQuery } from './number-query.ts';

/** As many as anybody looks through. */
const MAX_PARTIAL = 60;

/** @returns Finds products by number; files are fetched when they are needed, once. */
export function openNumbers(language: string): (query: NumberQuery) => Promise<NumberMatches> {
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
