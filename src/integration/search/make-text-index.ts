import { localized } from '../../catalogue/languages/localized.ts';
import type { OutputContext } from '../outputs/output.ts';
import { buildTextIndex, type IndexFile } from './build-text-index.ts';
import { openExpander } from './expand-text.ts';
import { localPageRecords } from './local-pages.ts';
import { productRecord } from './product-record.ts';
import { readSynonyms } from './read-synonyms.ts';
import type { SearchRecord } from './search-record.ts';
import { writingRecords } from './writing-records.ts';

/** Makes the text index of a language. @throws SortimentError SEARCH_INDEX_FAILED and SYNONYMS_INVALID. */
export function makeTextIndex(context: OutputContext, language: string): Promise<IndexFile[]> {
  const { root } = context.settings;
  const others = [...localPageRecords(root, language), ...writingsOf(context, language)];
  const expand = openExpander(readSynonyms(root, language));
  const records = function* (): Generator<SearchRecord> {
    for (const record of productRecords(context, language)) yield expanded(record, expand);
    for (const record of unique(others)) yield expanded(record, expand);
  };
  return buildTextIndex(language, records(), context.listing.count(language) + others.length);
}

function expanded(record: SearchRecord, expand: (text: string) => string): SearchRecord {
  return { ...record, text: `${record.text}. ${expand(record.text)}` };
}

/** Shelf by shelf: there may be very many. */
function* productRecords(
  { listing, readProduct, snapshot, settings }: OutputContext,
  language: string,
): Generator<SearchRecord> {
  const { mainLanguage } = settings.options;
  const families = new Map(
    snapshot.families().map(({ id, names }) => [id, localized(names, language, mainLanguage) ?? id]),
  );
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
