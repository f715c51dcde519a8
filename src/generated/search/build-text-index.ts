import { close, createIndex, type PagefindIndex } from 'pagefind';
import { cleanText, cleanTexts, SortimentError } from '#contracts/index.ts';
import type { SearchRecord } from './search-record.ts';

/** A file of the index, by its path in the index's folder. */
export interface IndexFile {
  path: string;
  content: Uint8Array;
}

/** With more records than this, several share a file: hosts limit how many files a site may have. */
const MAX_SINGLE_RECORDS = 400;
const RECORDS_IN_FILE = 6;
/** Pagefind's own interfaces, its thread, and stemming for languages that it doesn't know. */
const UNUSED = /^pagefind-(?!entry\.json)|^wasm\.unknown\./;
const SCRIPT = /^pagefind\.js$|^wasm\./;

/**
 * Makes a text index of a language with Pagefind. The same records give the same files.
 * @param language Code of the language, by which words are stemmed.
 * @param records Read one after the other.
 * @param options How many records there are, and whether the script comes with it that searches.
 * @throws SortimentError SEARCH_INDEX_FAILED.
 */
export async function buildTextIndex(
  language: string,
  records: Iterable<SearchRecord>,
  { count, withScript }: { count: number; withScript: boolean },
): Promise<IndexFile[]> {
  const maxFragments = Math.max(MAX_SINGLE_RECORDS, Math.ceil(count / RECORDS_IN_FILE));
  try {
    const { index, errors } = await createIndex({ maxFragments });
    if (!index) throw failed(language, errors);
    await addRecords(index, language, records);
    const made = await index.getFiles();
    if (made.errors.length > 0) throw failed(language, made.errors);
    await index.deleteIndex();
    const isKnown = made.files.some(({ path }) => path === `wasm.${language}.pagefind`);
    const isUsed = (path: string): boolean => !UNUSED.test(path) || (!isKnown && path.startsWith('wasm.'));
    return made.files.filter(({ path }) => isUsed(path) && (withScript || !SCRIPT.test(path)));
  } finally {
    await close();
  }
}

async function addRecords(index: PagefindIndex, language: string, records: Iterable<SearchRecord>): Promise<void> {
  for (const { kind, path, meta, text } of records) {
    const { errors } = await index.addCustomRecord({
      url: path,
      // What is no character is no text for Pagefind, and one such text would end it.
      content: cleanText(text),
      language,
      meta: cleanTexts(meta),
      filters: { kind: [kind] },
    });
    if (errors.length > 0) throw failed(language, errors);
  }
}

function failed(language: string, errors: readonly string[]): SortimentError {
  return new SortimentError(
    'SEARCH_INDEX_FAILED',
    `The search index of ${language} could not be made: ${errors.join('; ') || 'Pagefind gave no reason'}.`,
    { hint: "Run `npm ci` again, so that Pagefind's program for this machine is installed." },
  );
}
