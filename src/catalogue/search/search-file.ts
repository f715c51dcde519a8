import { productSlug } from '../addresses/slugs.ts';
import { foldWord, splitWords } from './words.ts';

/** Kinds of records, in the order of the file. */
export const RECORD_KINDS = ['product', 'family', 'norm', 'post', 'episode', 'page'] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Kinds of hits. A product is also found by its documents. */
export const SEARCH_KINDS = ['product', 'family', 'norm', 'document', 'post', 'episode', 'page'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** A page that the search finds. */
export interface SearchRecord {
  kind: RecordKind;
  title: string;
  /** Path below the language: `journal/roofs/`. Products have a slug instead. */
  path: string;
  /** Short text below the title. */
  line?: string | undefined;
  product?: ProductColumns;
}

export interface ProductColumns {
  gtin: string;
  item_number: string;
  slug: string;
  /** Language of the title if it differs from the page's. */
  language: string | undefined;
  /** ID of the family. */
  family: string | undefined;
  /** Digits of the document labels that it has a document for: `02`. */
  documents: string;
}

/** Fields of a record in which words are found, the most telling first. */
export const WORD_FIELDS = ['names', 'summary', 'text', 'documents'] as const;
export type WordField = (typeof WORD_FIELDS)[number];

/**
 * A record with its searchable texts. `names` are those of other languages. `prose` is searched only if other fields
 * don't have all words, or for articles, since it is as long as all others together.
 */
export type IndexedRecord = SearchRecord & { texts: Partial<Record<WordField | 'prose', string>> };

/** Rules of a language, from `content/search/<language>.yaml`. */
export interface SearchRules {
  /** Groups of words that mean the same. */
  synonyms: string[][];
  /** Parts of compound words. */
  parts: string[];
  /** Words without meaning, such as articles. */
  ignored: string[];
}

/** Search data of a language. Columns compress better than rows. */
export interface SearchFile extends SearchRules {
  /** Number of records of each kind. */
  counts: number[];
  titles: string[];
  /** Columns of products: differences of GTINs without check digit, in base 36. */
  gtins: string;
  items: string[];
  /** Runs of products with the same family (position among the families), and with the same documents. */
  families: [family: number, count: number][];
  documents: [digits: string, count: number][];
  /** Slugs that differ from `productSlug`, and languages that differ from the page's, by position. */
  slugs: Record<number, string>;
  languages: Record<number, string>;
  /** Columns of the other records. */
  paths: string[];
  lines: string[];
  /** Names of document types. */
  labels: string[];
  words: WordsFile;
  /** First word of each file of prose, in alphabetical order. */
  files: string[];
  /** Version of the files of prose: their numbers of records are those of this file only. */
  version: string;
}

export interface WordsFile {
  /** Words in lower case, one per line: the number of characters shared with the previous word, and the rest. */
  words: string;
  /** Records of each word, one line per word: a list for each field, see `packRecords`. */
  records: string;
}

/** Characters of words and records in a file of prose. Compressed, it is a third of that. */
const FILE_CHARACTERS = 2_000;
/** Number of files of prose above which they become larger instead. */
const MAX_FILES = 64;

/** Packs records that are sorted by kind, and products by family. The same records result in the same files. */
export function packSearch(
  records: readonly IndexedRecord[],
  rules: SearchRules & { labels: string[] },
): { file: Omit<SearchFile, 'version'>; files: WordsFile[] } {
  const products = records.flatMap(({ product }) => product ?? []);
  const others = records.slice(products.length);
  const families = new Map(others.filter(({ kind }) => kind === 'family').map(({ path }, i) => [familyOf(path), i]));
  let previous = 0;
  const file: Omit<SearchFile, 'words' | 'files' | 'version'> = {
    counts: RECORD_KINDS.map((kind) => records.filter((record) => record.kind === kind).length),
    titles: records.map(({ title }) => title),
    gtins: products
      .map(({ gtin }) => {
        const number = Number(gtin.slice(0, -1));
        const difference = number - previous;
        previous = number;
        return difference.toString(36);
      })
      .join(' '),
    items: products.map(({ item_number }) => item_number),
    families: toRuns(products.map(({ family }) => families.get(family ?? '') ?? -1)),
    documents: toRuns(products.map(({ documents }) => documents)),
    slugs: sparse(products, ({ slug, gtin }, i) =>
      slug === productSlug(records[i]?.title ?? '', gtin) ? undefined : slug,
    ),
    languages: sparse(products, ({ language }) => language),
    paths: others.map(({ path }) => path),
    lines: others.map(({ line = '' }) => line),
    ...rules,
  };
  const ignored = new Set(rules.ignored.map(foldWord));
  const prose = splitFiles(indexWords(records, ['prose'], ignored), MAX_FILES);
  const [words = NO_WORDS] = splitFiles(indexWords(records, WORD_FIELDS, ignored), 1);
  return {
    file: { ...file, words: words.content, files: prose.map(({ first }) => first) },
    files: prose.map(({ content }) => content),
  };
}

const NO_WORDS = { first: '', content: { words: '', records: '' } };

/** Returns the ID of a family from the path of its page. */
export function familyOf(path: string): string {
  return path.split('/')[1] ?? '';
}

function toRuns<T>(values: readonly T[]): [value: T, count: number][] {
  const runs: [T, number][] = [];
  for (const value of values) {
    const last = runs.at(-1);
    if (last && last[0] === value) last[1]++;
    else runs.push([value, 1]);
  }
  return runs;
}

export function fromRuns<T>(runs: readonly (readonly [T, number])[]): T[] {
  return runs.flatMap(([value, count]) => Array<T>(count).fill(value));
}

function sparse<T>(rows: readonly T[], getValue: (row: T, i: number) => string | undefined): Record<number, string> {
  return Object.fromEntries(
    rows.map(getValue).flatMap((value, i) => (value === undefined ? [] : [[i, value] as const])),
  );
}

interface IndexedWord {
  /** Spellings, with their number. */
  forms: Map<string, number>;
  /** Positions of records, by field. */
  records: number[][];
}

/** Words that a more telling field of the same record has are omitted. The browser reads those of titles itself. */
function indexWords(
  records: readonly IndexedRecord[],
  fields: readonly (keyof IndexedRecord['texts'])[],
  ignored: ReadonlySet<string>,
): Map<string, IndexedWord> {
  const words = new Map<string, IndexedWord>();
  for (const [position, { title, texts }] of records.entries()) {
    const others = WORD_FIELDS.filter((field) => !fields.includes(field)).map((field) => texts[field] ?? '');
    const seen = new Set(splitWords([title, ...others].join(' ')).map(foldWord));
    for (const [field, name] of fields.entries()) {
      for (const form of splitWords(texts[name] ?? '')) {
        const word = foldWord(form);
        if (word.length < 2 || ignored.has(word)) continue;
        const entry = words.get(word) ?? { forms: new Map<string, number>(), records: fields.map(() => []) };
        entry.forms.set(form.toLowerCase(), (entry.forms.get(form.toLowerCase()) ?? 0) + 1);
        if (seen.has(word) && name !== 'documents') continue;
        words.set(word, entry);
        seen.add(word);
        if (entry.records[field]?.at(-1) !== position) entry.records[field]?.push(position);
      }
    }
  }
  return words;
}

/** Splits words into files, in alphabetical order. */
function splitFiles(
  index: ReadonlyMap<string, IndexedWord>,
  maxFiles: number,
): { first: string; content: WordsFile }[] {
  const rows = [...index]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([word, { forms, records }]) => {
      const [form] = [...forms].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0] ?? [word];
      return { word, form, packed: records.map(packRecords).join('|').replace(/\|+$/, '') };
    });
  const total = rows.reduce((sum, { form, packed }) => sum + form.length + packed.length, 0);
  const maxCharacters = Math.max(maxFiles === 1 ? Infinity : FILE_CHARACTERS, total / maxFiles);
  const chunks: { first: string; characters: number; words: string[]; records: string[] }[] = [];
  for (const { word, form, packed } of rows) {
    let last = chunks.at(-1);
    if (!last || last.characters > maxCharacters) {
      last = { first: word, characters: 0, words: [], records: [] };
      chunks.push(last);
    }
    last.words.push(form);
    last.records.push(packed);
    last.characters += form.length + packed.length;
  }
  return chunks.map(({ first, words, records }) => ({
    first,
    content: { words: packWords(words), records: records.join('\n') },
  }));
}

const MAX_SHARED = 35;

function packWords(words: readonly string[]): string {
  let previous = '';
  const lines = words.map((word) => {
    let shared = 0;
    while (shared < MAX_SHARED && shared < word.length && word[shared] === previous[shared]) shared++;
    previous = word;
    return shared.toString(36) + word.slice(shared);
  });
  return lines.join('\n');
}

export function unpackWords(packed: string): string[] {
  let previous = '';
  return packed === ''
    ? []
    : packed.split('\n').map((line) => {
        previous = previous.slice(0, Number.parseInt(line[0] ?? '0', 36)) + line.slice(1);
        return previous;
      });
}

/**
 * Packs ascending positions as runs: the distance from the end of the previous run, and the length if it isn't 1, in
 * base 36. `[3, 4, 5, 9]` -> `3*3,3`.
 */
export function packRecords(positions: readonly number[]): string {
  const runs: string[] = [];
  let end = 0;
  for (let i = 0; i < positions.length;) {
    const start = positions[i] ?? 0;
    let length = 1;
    while (positions[i + length] === start + length) length++;
    runs.push((start - end).toString(36) + (length === 1 ? '' : `*${length.toString(36)}`));
    end = start + length;
    i += length;
  }
  return runs.join();
}

/** @returns Runs as pairs of the first position and the position after the last. */
export function unpackRecords(packed: string): [from: number, to: number][] {
  let end = 0;
  return packed === ''
    ? []
    : packed.split(',').map((run) => {
        const [distance = '', length = '1'] = run.split('*');
        const from = end + Number.parseInt(distance, 36);
        end = from + Number.parseInt(length, 36);
        return [from, end];
      });
}
