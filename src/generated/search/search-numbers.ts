import { hash } from 'node:crypto';
import { outputPath, NUMBERS_LIST, searchNumbersFolder, type NumbersList } from '#catalogue/addresses/site-paths.ts';
import { packNumbers } from '#catalogue/directory/pack-numbers.ts';
import type { FileGenerator } from '../generator.ts';

/** Products per file. Most catalogues fit into one file of about 100 kB, compressed. */
const PRODUCTS_IN_FILE = 5000;

/** Generates the number index of all products. Rewritten only after changes of names or numbers. */
export const searchNumbers: FileGenerator = {
  name: 'search-numbers',
  update: ({ languages, productIndex, overlays, put, keep }) => {
    for (const { code } of languages) {
      const pages = productIndex.directoryPages(code).filter(({ list }) => list === 'gtins');
      const key = hash('sha1', JSON.stringify([PRODUCTS_IN_FILE, pages.map(({ digest }) => digest)]), 'base64url');
      const folder = outputPath(searchNumbersFolder(code));
      if (keep(folder.slice(0, -1), key)) continue;
      const list: NumbersList = { files: [] };
      for (const rows of splitIntoChunks(productIndex.allDirectoryRows(code), PRODUCTS_IN_FILE)) {
        const file = `${list.files.length}.json`;
        const visible = rows.filter(({ gtin }) => !overlays.isHidden(code, gtin));
        list.files.push({ file, first: visible[0]?.gtin ?? '', last: visible.at(-1)?.gtin ?? '' });
        put(`${folder}${file}`, JSON.stringify(packNumbers(visible, code)), key);
      }
      put(`${folder}${NUMBERS_LIST}`, JSON.stringify(list), key);
    }
  },
};

/** Splits an iterable into lists of a size. The last may be shorter. */
export function* splitIntoChunks<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let part: T[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
