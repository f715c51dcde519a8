import type { SearchKind, SearchRecord } from './search-file.ts';
import { likeCase, parseQuery, type Concept, type ParsedQuery } from './search-query.ts';
import type { Place, SearchIndex } from './search-index.ts';
import { foldWord, MAX_QUERY_CHARACTERS, splitWords } from './words.ts';

export interface SearchHit extends Omit<SearchRecord, 'kind'> {
  kind: SearchKind;
}

export interface SearchResults extends Pick<ParsedQuery, 'corrected' | 'problem'> {
  /** The only product with exactly this number. */
  only: SearchHit | undefined;
  /** Words that no result has. */
  omitted: string[];
  /** Words that the catalogue lacks: those that were corrected or omitted. */
  unknown: string[];
  count: number;
  hits(from: number, to: number): SearchHit[];
}

/** Weights of kinds. */
const KIND_WEIGHTS = { product: 1.2, family: 1.1, norm: 1.2, post: 0.9, episode: 0.85, page: 0.9 } as const;
/** Weight of articles, and of pages with another title, if the query describes products. */
const MENTION_WEIGHT = 0.1;
/** Least weight per word of a record that describes it. */
const DESCRIBING_WEIGHT = 2;
/** Weight of a family that isn't named by the whole query: it asks for one of its products. */
const UNNAMED_FAMILY = 0.25;
/** Least share of an article's title that asks for the article. */
const TITLE_SHARE = 0.95;
/** Least weight per word of a title that names it. */
const NAMING_WEIGHT = 4;
/** Least share of the title of a page, or of a family in a search for documents, that names it. */
const NAMING_SHARE = 0.5;
/** Additional weight of a title that consists of the query. */
const TITLE_COVERAGE = 1.5;

const TITLE_FIELDS = new Set<Place['field']>(['title', 'names']);

interface Candidate {
  record: number;
  /** Best place of each concept. */
  places: (Place | undefined)[];
}

/** Finds the records with all words of a query, or with as many as possible. The rest of a pasted text is ignored. */
export function findRecords(index: SearchIndex, query: string, kind?: SearchKind): SearchResults {
  const { concepts, corrected, unknown, problem, exact } = parseQuery(index, query.slice(0, MAX_QUERY_CHARACTERS));
  const found = concepts.map(({ places }) => places);
  const informativeness = found.map((places) => Math.log(1 + index.file.kinds.length / (1 + places.size)));
  const candidates = new Map<number, Candidate>();
  for (const [i, places] of found.entries())
    for (const [record, place] of places) {
      const candidate = candidates.get(record) ?? { record, places: [] };
      candidate.places[i] = place;
      candidates.set(record, candidate);
    }
  const all = [...candidates.values()];
  const required = chooseRequired(index, all, informativeness);
  const matched = all.filter(
    ({ places }) => required.every((i) => places[i]) || concepts.every((_, i) => places[i] !== undefined),
  );
  const words = matchedWords(concepts);
  const sizes = concepts.map(({ size }) => size);
  const describes = (place: Place | undefined, i: number): boolean =>
    place?.field === 'documents' || (place?.weight ?? 0) >= DESCRIBING_WEIGHT * (sizes[i] ?? 1);
  const hasProducts = matched.some(
    ({ record, places }) =>
      index.isCatalogue(record) &&
      required.every((i) => describes(places[i], i)) &&
      required.some((i) => places[i]?.field !== 'documents'),
  );
  const kindOf = ({ record, places }: Candidate): SearchKind =>
    kind !== 'product' && index.file.kinds[record] === 'product' && places.some((place) => place?.field === 'documents')
      ? 'document'
      : (index.file.kinds[record] ?? 'page');
  const scored = matched
    .filter((candidate) => kind === undefined || kindOf(candidate) === kind)
    .map((candidate) => ({ candidate, score: score(index, candidate, informativeness, { words, sizes, hasProducts }) }))
    .toSorted((a, b) => b.score - a.score || a.candidate.record - b.candidate.record);
  const omitted = concepts.filter((_, i) => !required.includes(i)).map(({ text }) => text);
  const [only] = exact;
  return {
    corrected,
    problem,
    only: exact.length === 1 && only !== undefined ? index.record(only) : undefined,
    omitted,
    unknown: [...unknown, ...omitted],
    count: scored.length,
    hits: (from, to) =>
      scored.slice(from, to).map(({ candidate }) => toHit(index, candidate.record, kindOf(candidate), words)),
  };
}

/**
 * Returns the concepts that results must have: all, if a product or a title has them, else those of the products with
 * the most, and of these the most informative.
 */
function chooseRequired(
  index: SearchIndex,
  candidates: readonly Candidate[],
  informativeness: readonly number[],
): number[] {
  const all = [...informativeness.keys()];
  const isAnswer = ({ record, places }: Candidate): boolean =>
    all.every((i) => places[i]) &&
    (index.isCatalogue(record) || all.every((i) => TITLE_FIELDS.has(places[i]?.field ?? 'text')));
  if (candidates.some(isAnswer)) return all;
  const products = candidates.filter(({ record }) => index.isCatalogue(record));
  const among = products.length > 0 ? products : candidates;
  let best: { present: number[]; value: number } = { present: [], value: 0 };
  for (const { places } of among) {
    const present = all.filter((i) => places[i]);
    // The number of words counts first, then whether they describe the product.
    const value =
      present.length * 1000 + present.reduce((sum, i) => sum + (informativeness[i] ?? 0) * (places[i]?.weight ?? 0), 0);
    if (value > best.value) best = { present, value };
  }
  return best.present;
}

function score(
  index: SearchIndex,
  { record, places }: Candidate,
  informativeness: readonly number[],
  { words, sizes, hasProducts }: { words: ReadonlyMap<string, number>; sizes: readonly number[]; hasProducts: boolean },
): number {
  const kind = index.file.kinds[record] ?? 'page';
  const sum = places.reduce((total, place, i) => total + (place ? place.weight * (informativeness[i] ?? 0) : 0), 0);
  const title = index.file.titles[record] ?? '';
  // The subtitle of an article follows a colon.
  const share = Math.max(coverage(index, title, words), coverage(index, title.split(':')[0] ?? '', words));
  const isNamed = informativeness.every((_, i) => {
    const place = places[i];
    if (place?.field === 'documents') return share >= NAMING_SHARE;
    return place && TITLE_FIELDS.has(place.field) && place.weight >= NAMING_WEIGHT * (sizes[i] ?? 1);
  });
  if (kind === 'family' && !isNamed) return sum * UNNAMED_FAMILY;
  const present = informativeness.reduce((total, value, i) => total + (places[i] ? value : 0), 0);
  const all = informativeness.reduce((total, value) => total + value, 0);
  const isArticle = kind === 'post' || kind === 'episode';
  const isMention = isArticle ? share < TITLE_SHARE : kind === 'page' && share < NAMING_SHARE;
  const kindWeight = hasProducts && isMention ? MENTION_WEIGHT : KIND_WEIGHTS[kind];
  return sum * kindWeight * (1 + TITLE_COVERAGE * share) * (present / all);
}

/** Returns the words that match the query, with their quality. */
function matchedWords(concepts: readonly Concept[]): Map<string, number> {
  const words = new Map<string, number>();
  for (const { alternatives } of concepts)
    for (const { matches, quality } of alternatives)
      for (const match of matches.flat())
        words.set(match.term.word, Math.max(words.get(match.term.word) ?? 0, match.quality * quality));
  return words;
}

/** Returns the share of a title that the query names, from 0 to 1. */
function coverage(index: SearchIndex, title: string, words: ReadonlyMap<string, number>): number {
  const titleWords = splitWords(title)
    .map(foldWord)
    .filter((word) => !index.ignored.has(word));
  const letters = titleWords.reduce((sum, word) => sum + word.length, 0);
  const named = titleWords.reduce((sum, word) => sum + word.length * (words.get(word) ?? 0), 0);
  return letters === 0 ? 0 : named / letters;
}

/** A product that is found by its documents leads to them. */
function toHit(index: SearchIndex, record: number, kind: SearchKind, words: ReadonlyMap<string, number>): SearchHit {
  const found = index.record(record);
  if (kind !== 'document') return found;
  const label = chooseLabel(index, found.product?.documents ?? '', words);
  return { ...found, kind, title: `${label}: ${found.title}`, path: `${found.path}#documents` };
}

/** Returns the name of the document that a query asks for. */
function chooseLabel(index: SearchIndex, documents: string, words: ReadonlyMap<string, number>): string | undefined {
  const labels = [...documents].flatMap((digit) => index.file.labels[Number(digit)] ?? []);
  const named = (label: string): number => coverage(index, label, words);
  return labels.toSorted((a, b) => named(b) - named(a) || b.length - a.length)[0];
}

const MAX_SUGGESTIONS = 5;

/** Completes the last word of a query: with titles of families and pages, then with words of titles, then others. */
export function suggestQueries(index: SearchIndex, query: string): string[] {
  const words = splitWords(query.slice(0, MAX_QUERY_CHARACTERS));
  const last = foldWord(words.at(-1) ?? '');
  if (last.length < 2 || /^\d/.test(last)) return [];
  const before = words.slice(0, -1).join(' ');
  const titles = index.file.titles.filter(
    (title, i) => index.file.kinds[i] !== 'product' && foldWord(title).startsWith(foldWord(query)),
  );
  const value = ({ places }: { places: readonly { field: Place['field']; records: readonly unknown[] }[] }) =>
    places.reduce((sum, { field, records }) => sum + (TITLE_FIELDS.has(field) ? 100 : 1) * records.length, 0);
  const completions = new Map(
    index.terms
      .filter(({ word, stem, places }) => word.startsWith(last) && !last.startsWith(stem) && places.length > 0)
      .toSorted((a, b) => value(a) - value(b))
      // The most frequent form of a word replaces the others.
      .map(({ stem, form }) => [stem, [before, likeCase(form, words.at(-1) ?? '')].filter(Boolean).join(' ')]),
  );
  const suggestions = [...titles.slice(0, 3), ...[...completions.values()].toReversed()];
  return [...new Set(suggestions)].slice(0, MAX_SUGGESTIONS);
}
