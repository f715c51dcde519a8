import { productSlug } from '../addresses/slugs.ts';
import { fromRuns, initialOf, WORD_FIELDS, type SearchFile, type SearchRecord, type Words } from './search-file.ts';
import { allowedTypos, countTypos, foldNumber, foldWord, splitWords, stemWord } from './words.ts';

const FIELDS = ['title', ...WORD_FIELDS, 'prose'] as const;
type Field = (typeof FIELDS)[number];

/** Weight of a word by where it stands. */
const WEIGHTS: Readonly<Record<Field, number>> = {
  title: 10,
  names: 6,
  family: 3,
  summary: 3,
  documents: 2,
  text: 1,
  prose: 0.8,
};

export interface Term {
  /** Folded. */
  word: string;
  /** As it is written in a title, else in lower case. */
  form: string;
  stem: string;
  places: Map<Field, number[]>;
}

/** How well a word of the index matches a searched one, from 0 to 1. */
export interface Match {
  term: Term;
  quality: number;
}

/** A found word in a record. */
export interface Place {
  weight: number;
  field: Field;
}

/** Share of the weight of further places that match too. */
const FURTHER = 0.3;

/** Adds a place of a record: the best one decides, others add to it. */
export function addPlace(places: Map<number, Place>, record: number, place: Place): void {
  const known = places.get(record) ?? { ...place, weight: 0 };
  const [best, further] = known.weight > place.weight ? [known, place] : [place, known];
  places.set(record, { ...best, weight: best.weight + FURTHER * further.weight });
}

const QUALITY = { stem: 0.9, head: 0.85, prefix: 0.7, part: 0.4, typo: [1, 0.5, 0.4] } as const;

/** @param isWhole True if it must not be only a part of the term. */
function matchQuality(term: Term, word: string, stem: string, isWhole: boolean): number {
  if (term.word === word) return 1;
  // `13501` begins `13501-1`, but not `135011`.
  if (/^\d/.test(word))
    return term.word.startsWith(word) && !/^\d/.test(term.word.slice(word.length)) ? QUALITY.prefix : 0;
  if (term.stem === stem) return QUALITY.stem;
  if (isWhole) return 0;
  if (term.word.startsWith(word)) return QUALITY.prefix;
  if (stem.length < MIN_PART) return 0;
  // The last part of a compound says what it is.
  if (term.stem.endsWith(stem)) return QUALITY.head;
  return term.word.includes(stem) || (word.length > MIN_PART && term.word.includes(word)) ? QUALITY.part : 0;
}

/** Shorter words match as a whole or as a prefix only. */
const MIN_PART = 4;
const MIN_SPLIT = 8;
/** Weights of numbers, compared to those of words. */
export const NUMBER_WEIGHTS = { exact: 20, partial: 6 };
/** Longer numbers are several ones. */
const MAX_NUMBER = 40;

/** Searchable records and words of a language, opened in the browser. */
export class SearchIndex {
  readonly language: string;
  readonly file: SearchFile;
  /** Groups of synonyms, as folded words. */
  readonly synonyms: readonly (readonly string[])[][];
  readonly ignored: ReadonlySet<string>;
  readonly #terms = new Map<string, Term>();
  /** Stems of words that compounds consist of. */
  readonly #pieces: Set<string>;
  readonly #items: readonly string[];
  #matches = new Map<string, Match[]>();

  constructor(language: string, file: SearchFile) {
    this.language = language;
    this.file = file;
    this.#items = file.items.map(foldNumber);
    this.#pieces = new Set(file.parts.map((part) => stemWord(foldWord(part), language)));
    this.ignored = new Set(file.ignored.map(foldWord));
    this.synonyms = file.synonyms.map((group) => group.map((term) => this.forms(term).map(foldWord)));
    for (const [i, title] of file.titles.entries()) for (const form of splitWords(title)) this.#add(form, 'title', [i]);
    for (const term of file.synonyms.flat()) for (const form of splitWords(term)) this.#add(form);
    this.#addWords(file.words, WORD_FIELDS);
  }

  /** Splits a text into words, without those that have no meaning. */
  forms(text: string): string[] {
    const all = splitWords(text);
    const meaningful = all.filter((form) => !this.ignored.has(foldWord(form)));
    return meaningful.length > 0 ? meaningful : all;
  }

  addProse(words: Words): void {
    this.#addWords(words, ['prose']);
  }

  #addWords(words: Words, fields: readonly Field[]): void {
    for (const [form, lists] of Object.entries(words))
      for (const [i, runs] of lists.entries()) this.#add(form, fields[i], fromRuns(runs));
  }

  /** Returns the numbers of the files of prose with the words of a query and words that begin alike. */
  filesOf(query: string): number[] {
    const initials = new Set(splitWords(query).map(initialOf));
    return this.file.files.flatMap((initial, i) => (initials.has(initial) ? [i] : []));
  }

  #add(form: string, field?: Field, records: number[] = []): void {
    const word = foldWord(form);
    const term = this.#terms.get(word) ?? { word, form, stem: stemWord(word, this.language), places: new Map() };
    this.#terms.set(word, term);
    if (records.length > 0 && word.length >= MIN_PART) this.#pieces.add(term.stem);
    const known = field && term.places.get(field);
    if (known) for (const record of records) known.push(record);
    else if (field && records.length > 0) term.places.set(field, records);
    this.#matches = new Map();
  }

  get terms(): readonly Term[] {
    return [...this.#terms.values()];
  }

  /** True for products, families and norms. */
  isCatalogue(record: number): boolean {
    return ['product', 'family', 'norm'].includes(this.file.kinds[record] ?? '');
  }

  has(word: string): boolean {
    return this.#terms.has(word);
  }

  /** Returns the words of the index that match a word, without typos, the best first. */
  matches(word: string): readonly Match[] {
    const cached = this.#matches.get(word);
    if (cached) return cached;
    // `ae` is typed for `ä`.
    const spellings = new Set([word, word.replaceAll(/([aou])e/g, '$1')]);
    const found = [...spellings]
      .flatMap((spelling) => this.#matchesOf(spelling))
      .toSorted((a, b) => b.quality - a.quality);
    this.#matches.set(word, found);
    return found;
  }

  #matchesOf(word: string): Match[] {
    const stem = stemWord(word, this.language);
    // Short words are the beginning of too many others.
    const isWhole = word.length < MIN_PART && this.#terms.has(word);
    return this.terms.flatMap((term): Match | [] => {
      const quality = matchQuality(term, word, stem, isWhole);
      return quality > 0 ? { term, quality } : [];
    });
  }

  /** Returns the most similar words: those with the fewest typos, the most telling first. */
  similar(word: string): Match[] {
    const allowed = allowedTypos(word);
    const found = this.terms
      .filter((term) => !/^\d/.test(term.word) && (word.length >= 6 || term.word[0] === word[0]))
      .map((term) => ({ term, typos: countTypos(word, term.word, allowed) }))
      .filter(({ typos }) => typos > 0 && typos <= allowed);
    const least = Math.min(...found.map(({ typos }) => typos));
    return found
      .filter(({ typos }) => typos === least)
      .map(({ term, typos }) => ({ term, quality: QUALITY.typo[typos] ?? 0 }))
      .toSorted((a, b) => rank(b.term, word) - rank(a.term, word));
  }

  /** Splits a compound word into words of the index and parts, `uni60` into letters and digits. Undefined if it is none. */
  split(word: string): string[] | undefined {
    if (/\p{L}{2}\p{N}{2}/u.test(word)) return word.match(/\p{L}+|\P{L}+/gu) ?? undefined;
    if (word.length < MIN_SPLIT) return undefined;
    const best: (string[] | undefined)[] = [[]];
    for (let end = MIN_PART - 1; end <= word.length; end++) {
      for (let start = 0; start <= end - 3; start++) {
        const before = best[start];
        const piece = word.slice(start, end);
        if (!before || (best[end]?.length ?? Infinity) <= before.length + 1) continue;
        const known = this.#isPiece(piece) ? piece : this.#linked(piece);
        if (known !== undefined && piece !== word) best[end] = [...before, known];
      }
    }
    const pieces = best[word.length];
    return pieces && pieces.length > 1 ? [...new Set(pieces)] : undefined;
  }

  /** Returns the known words with which a compound ends: the last part says what it is. */
  endings(word: string): string[] {
    const parts = Array.from(word, (_, i) => word.slice(i));
    return word.length < MIN_SPLIT ? [] : parts.filter((part) => part.length >= MIN_PART && this.#isPiece(part));
  }

  /** Removes the letters that link compounds. */
  #linked(piece: string): string | undefined {
    return ['s', 'n', 'en', 'es', 'er']
      .filter((link) => piece.endsWith(link))
      .map((link) => piece.slice(0, -link.length))
      .find((bare) => this.#isPiece(bare));
  }

  #isPiece(piece: string): boolean {
    return this.#pieces.has(piece) || this.#pieces.has(stemWord(piece, this.language));
  }

  /** Returns where matching words stand in each record, with the best of them. */
  placesOf(matches: readonly Match[]): Map<number, Place> {
    const found = new Map<number, Place>();
    for (const field of FIELDS) {
      const weights = new Map<number, number>();
      for (const { term, quality } of matches)
        for (const record of term.places.get(field) ?? [])
          weights.set(record, Math.max(weights.get(record) ?? 0, WEIGHTS[field] * quality));
      for (const [record, weight] of weights) addPlace(found, record, { weight, field });
    }
    return found;
  }

  /** Finds products by a number or a part of it, or else, if there are none, by a number with typos. */
  numbers({ folded, gtin13, digits }: NumberQuery, canCorrect = false): Map<number, Place> {
    const found = new Map<number, Place>();
    const add = (record: number, weight: number) => found.set(record, { weight, field: 'title' });
    for (const [i, item] of this.#items.entries()) {
      const gtin = this.file.gtins[i] ?? '';
      if (gtin === gtin13 || item === folded) add(i, NUMBER_WEIGHTS.exact);
      else if (item.includes(folded) || (digits !== undefined && gtin.includes(digits))) add(i, NUMBER_WEIGHTS.partial);
    }
    if (found.size > 0 || !canCorrect || digits === undefined || digits.length > MAX_NUMBER) return found;
    let least = digits.length >= 8 ? 2 : digits.length >= 6 ? 1 : 0;
    for (const [i, item] of least === 0 ? [] : this.#items.entries()) {
      const typos = Math.min(
        ...[item, this.file.gtins[i] ?? ''].map((number) => countTypos(digits, number, least, true)),
      );
      if (typos < least) found.clear();
      if (typos > least) continue;
      least = typos;
      add(i, NUMBER_WEIGHTS.partial);
    }
    return found;
  }

  record(position: number): SearchRecord {
    const { kinds, titles, paths, lines, gtins, items, slugs, languages, families, documents } = this.file;
    const title = titles[position] ?? '';
    const record = {
      kind: kinds[position] ?? 'page',
      title,
      path: paths[position] ?? '',
      line: lines[position] || undefined,
    };
    const gtin = gtins[position];
    if (gtin === undefined) return record;
    const slug = slugs[position] || productSlug(title, gtin);
    const product = {
      gtin,
      item_number: items[position] ?? '',
      slug,
      language: languages[position] || undefined,
      family: families[position] || undefined,
      documents: documents[position] ?? '',
    };
    return { ...record, path: `p/${slug}/`, product };
  }
}

/** Prefers words of titles, words that begin alike, and words in several fields. */
function rank({ word, places }: Term, searched: string): number {
  const weight = Math.max(0, ...[...places.keys()].map((field) => WEIGHTS[field]));
  return weight + (word[0] === searched[0] ? 5 : 0) + Math.min(places.size, 4) / 8;
}

/** A search text parsed as a number. */
export interface NumberQuery {
  /** The number with separators removed. */
  folded: string;
  /** GTIN of a trade unit, if it is one. */
  gtin13: string | undefined;
  /** Digits to search within GTINs. */
  digits: string | undefined;
}
