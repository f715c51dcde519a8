import { productSlug } from '../addresses/slugs.ts';
import { foldWord, splitWords } from './words.ts';

/** Kinds of hits. A product is also found by its documents. */
export const SEARCH_KINDS = ['product', 'family', 'norm', 'document', 'post', 'episode', 'page'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** A page that the search finds. */
export interface SearchRecord {
  kind: Exclude<SearchKind, 'document'>;
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
  language?: string | undefined;
  /** ID of the family, in search results its name. */
  family?: string | undefined;
  /** Digits of the document labels that it has a document for: `02`. */
  documents: string;
}

/** Fields of a record in which words are found, the most telling first. Products inherit the names of their family. */
export const WORD_FIELDS = ['names', 'summary', 'text', 'documents', 'family'] as const;
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
  kinds: SearchRecord['kind'][];
  titles: string[];
  paths: string[];
  lines: string[];
  /** Columns of products, the first records. */
  gtins: string[];
  items: string[];
  /** Empty if it is that of `productSlug`. */
  slugs: string[];
  languages: string[];
  families: string[];
  documents: string[];
  /** Names of document types. */
  labels: string[];
  words: Words;
  /** First letters of the words in each file of prose. */
  files: string[];
  /** Version of the files of prose: their positions of records are those of this file only. */
  version: string;
}

/** Records with each word, by field, in runs: the distance from the previous run, then the length, and so on. */
export type Words = Record<string, number[][]>;

/** Packs records that are sorted by kind, and products by family. The same records result in the same files. */
export function packSearch(
  records: readonly IndexedRecord[],
  rules: SearchRules & { labels: string[] },
): { file: Omit<SearchFile, 'version'>; files: Words[] } {
  const products = records.flatMap(({ title, product }) => (product ? [{ title, ...product }] : []));
  const families = new Map(records.filter(({ kind }) => kind === 'family').map((one) => [familyOf(one.path), one]));
  const inherited = records.map(({ product, texts, ...record }) => {
    const family = families.get(product?.family ?? '');
    return { ...record, texts: { ...texts, ...(family && { family: `${family.title} ${family.texts.names ?? ''}` }) } };
  });
  const ignored = new Set(rules.ignored.map(foldWord));
  const prose = Map.groupBy(Object.entries(indexWords(inherited, ['prose'], ignored)), ([form]) => initialOf(form));
  const file = {
    kinds: records.map(({ kind }) => kind),
    titles: records.map(({ title }) => title),
    paths: records.map(({ path }) => path),
    lines: records.map(({ line = '' }) => line),
    gtins: products.map(({ gtin }) => gtin),
    items: products.map(({ item_number }) => item_number),
    slugs: products.map(({ title, gtin, slug }) => (slug === productSlug(title, gtin) ? '' : slug)),
    languages: products.map(({ language = '' }) => language),
    families: products.map(({ family = '' }) => families.get(family)?.title ?? ''),
    documents: products.map(({ documents }) => documents),
    ...rules,
    words: indexWords(inherited, WORD_FIELDS, ignored),
    files: [...prose.keys()],
  };
  return { file, files: [...prose.values()].map((words) => Object.fromEntries(words)) };
}

/** Returns the ID of a family from the path of its page. */
function familyOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Returns the letter by which the files of prose are named. */
export function initialOf(word: string): string {
  return [...foldWord(word)][0] ?? '';
}

/** Words that a more telling field of the same record has are omitted. The browser reads those of titles itself. */
function indexWords(
  records: readonly IndexedRecord[],
  fields: readonly (keyof IndexedRecord['texts'])[],
  ignored: ReadonlySet<string>,
): Words {
  const words = new Map<string, { form: string; positions: number[][] }>();
  for (const [position, { title, texts }] of records.entries()) {
    const others = WORD_FIELDS.filter((field) => !fields.includes(field)).map((field) => texts[field] ?? '');
    const seen = new Set([...new Set(splitWords([title, ...others].join(' ')))].map(foldWord));
    for (const [field, name] of fields.entries()) {
      for (const form of new Set(splitWords(texts[name] ?? ''))) {
        const word = foldWord(form);
        if (word.length < 2 || ignored.has(word) || (seen.has(word) && name !== 'documents' && name !== 'family'))
          continue;
        seen.add(word);
        const entry = words.get(word) ?? { form: form.toLowerCase(), positions: [] };
        words.set(word, entry);
        while (entry.positions.length <= field) entry.positions.push([]);
        if (entry.positions[field]?.at(-1) !== position) entry.positions[field]?.push(position);
      }
    }
  }
  return Object.fromEntries(
    [...words].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, { form, positions }]) => [form, positions.map(toRuns)]),
  );
}

function toRuns(positions: readonly number[]): number[] {
  const runs: number[] = [];
  let end = -1;
  for (const position of positions) {
    if (position === end) runs.push((runs.pop() ?? 0) + 1);
    else runs.push(position - Math.max(end, 0), 1);
    end = position + 1;
  }
  return runs;
}

/** Returns the positions in some runs. */
export function fromRuns(runs: readonly number[]): number[] {
  const positions: number[] = [];
  let end = 0;
  for (let i = 0; i < runs.length; i += 2) {
    const start = end + (runs[i] ?? 0);
    end = start + (runs[i + 1] ?? 0);
    for (let position = start; position < end; position++) positions.push(position);
  }
  return positions;
}
