import { hash } from 'node:crypto';
import { localized } from '../../catalogue/languages/localized.ts';
import { searchTextFolder } from '../../catalogue/addresses/search-files.ts';
import type { Output, OutputContext } from '../outputs/output.ts';
import { buildTextIndex } from './build-text-index.ts';
import { openExpander } from './expand-text.ts';
import { localPageRecords } from './local-pages.ts';
import { productRecord } from './product-record.ts';
import { readSynonyms } from './read-synonyms.ts';
import type { SearchRecord } from './search-record.ts';
import { writingRecords, writingsDigest } from './writing-records.ts';

/** Counted up when the same content gives other files. */
const INDEX_VERSION = 2;

/** The index of the text search, a folder for each language; made only when something that is searched has changed. */
export const searchText: Output = {
  name: 'search-text',
  update: async (context) => {
    const { languages, listing, settings, snapshot, put, keep } = context;
    const { root, options } = settings;
    const families = snapshot.families();
    const writings = writingsDigest(snapshot);
    for (const { code } of languages) {
      const synonyms = readSynonyms(root, code);
      const local = localPageRecords(root, code);
      const named = new Map(families.map(({ id, names }) => [id, localized(names, code, options.mainLanguage) ?? id]));
      const basis = [INDEX_VERSION, listing.searchDigest(code), writings, [...named], synonyms, local];
      const key = hash('sha1', JSON.stringify(basis), 'base64url');
      const folder = searchTextFolder(code).replaceAll(/^\/|\/$/g, '');
      if (keep(folder, key)) continue;
      const others = [...local, ...writingsOf(context, code)];
      const expand = openExpander(synonyms);
      const records = function* (): Generator<SearchRecord> {
        for (const record of productRecords(context, code, named)) yield expanded(record, expand);
        for (const record of unique(others)) yield expanded(record, expand);
      };
      const files = await buildTextIndex(code, records(), listing.count(code) + others.length);
      for (const file of files) put(`${folder}/${file.path}`, file.content, key);
    }
  },
};

function expanded(record: SearchRecord, expand: (text: string) => string): SearchRecord {
  return { ...record, text: `${record.text}. ${expand(record.text)}` };
}

/** Shelf by shelf: there may be very many. */
function* productRecords(
  { listing, readProduct }: OutputContext,
  language: string,
  families: ReadonlyMap<string, string>,
): Generator<SearchRecord> {
  for (const { shelf } of listing.shelves(language))
    for (const entry of listing.shelf(language, shelf)) yield productRecord(readProduct(entry), families.get(shelf));
}

function writingsOf({ snapshot, settings, languages, warn }: OutputContext, language: string): SearchRecord[] {
  const codes = languages.map(({ code }) => code);
  return writingRecords({ snapshot, options: settings.options, languages: codes, warn }).get(language) ?? [];
}

/** Where the project and the publishing site have the same page, the project's stands. */
function unique(records: readonly SearchRecord[]): SearchRecord[] {
  return [...new Map(records.toReversed().map((record) => [record.path, record])).values()].toReversed();
}
