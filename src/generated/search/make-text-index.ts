import { localized } from '#contracts/localized.ts';
import type { HashPart } from '#files/hash-parts.ts';
import type { ListedEntry } from '#model/entries.ts';
import type { GeneratorContext } from '../generator.ts';
import { buildTextIndex, type IndexFile } from './build-text-index.ts';
import { openExpander } from './expand-text.ts';
import { localPageRecords } from './local-pages.ts';
import { productRecord } from './product-record.ts';
import { readSynonyms } from './read-synonyms.ts';
import type { SearchRecord } from './search-record.ts';
import { articleRecords } from './article-records.ts';

/** A part of what is searched in a language. */
export interface SearchPart {
  products: HashPart;
  /** With the script, and with posts and pages. */
  isFirst: boolean;
}

/** Makes a part of the text index of a language. @throws SortimentError SEARCH_INDEX_FAILED and SYNONYMS_INVALID. */
export function makeTextIndex(
  context: GeneratorContext,
  language: string,
  { products, isFirst }: SearchPart,
): Promise<IndexFile[]> {
  const { root } = context.settings;
  const listed = context.productIndex.part(language, products);
  const others = isFirst ? unique([...localPageRecords(root, language), ...articlesOf(context, language)]) : [];
  const expand = openExpander(readSynonyms(root, language));
  const records = function* (): Generator<SearchRecord> {
    for (const record of productRecords(context, language, listed)) yield expanded(record, expand);
    for (const record of others) yield expanded(record, expand);
  };
  return buildTextIndex(language, records(), { count: listed.length + others.length, withScript: isFirst });
}

function expanded(record: SearchRecord, expand: (text: string) => string): SearchRecord {
  return { ...record, text: `${record.text}. ${expand(record.text)}` };
}

/** One by one: only what lists show of them is in memory. */
function* productRecords(
  { readProduct, snapshot, settings }: GeneratorContext,
  language: string,
  listed: readonly ListedEntry[],
): Generator<SearchRecord> {
  const { mainLanguage } = settings.options;
  const families = new Map(
    snapshot.families().map(({ id, names }) => [id, localized(names, language, mainLanguage) ?? id]),
  );
  for (const entry of listed) yield productRecord(readProduct(entry), families.get(entry.family ?? ''));
}

function articlesOf({ snapshot, settings, languages, warn }: GeneratorContext, language: string): SearchRecord[] {
  const codes = languages.map(({ code }) => code);
  return articleRecords({ snapshot, options: settings.options, languages: codes, warn }).get(language) ?? [];
}

/** Where the project and the publishing site have the same page, the project's stands. */
function unique(records: readonly SearchRecord[]): SearchRecord[] {
  return [...new Map(records.toReversed().map((record) => [record.path, record])).values()].toReversed();
}
