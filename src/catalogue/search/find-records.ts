import type { SearchKind, SearchRecord } from './search-file.ts';
import { likeCase, parseQuery, type ParsedQuery } from './search-query.ts';
import type { Place, SearchIndex, Term } from './search-index.ts';
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

/** Weight of a word that names a record. Heavier words count as much when records are compared by all words. */
const NAMING_WEIGHT = 4;
/** Least share of an article's title that names it. */
const NAMING_SHARE = 0.9;
/** Weight of families, pages and articles that the query doesn't name: it asks for something in them. */
const UNNAMED = 0.1;
/** Additional weight of a title that consists of the query. */
const TITLE_COVERAGE = 1.5;

const TITLE_FIELDS = new Set<Place['field'] | undefined>(['title', 'names']);

interface Candidate {
  record: number;
  /** Best place of each concept. */
  places: (Place | undefined)[];
}

/** Finds the records with all words of a query, or with as many as possible. The rest of a pasted text is ignored. */
export function findRecords(index: SearchIndex, query: string, kind?: SearchKind): SearchResults {
  const { concepts, corrected, unknown, problem, exact } = parseQuery(index, query.slice(0, MAX_QUERY_CHARACTERS));
  const { kinds } = index.file;
  const informativeness = concepts.map(({ places }) => Math.log(1 + kinds.length / (1 + places.size)));
  const sum = (places: Candidate['places'], limit = Infinity): number =>
    places.reduce((total, place, i) => total + Math.min(place?.weight ?? 0, limit) * (informativeness[i] ?? 0), 0);
  const found = new Map<number, Candidate['places']>();
  for (const [i, concept] of concepts.entries())
    for (const [record, place] of concept.places) {
      const known = found.get(record) ?? concepts.map(() => undefined);
      known[i] = place;
      found.set(record, known);
    }
  const candidates = Array.from(found, ([record, places]) => ({
    record,
    places,
    weight: sum(places),
    naming: sum(places, NAMING_WEIGHT),
  }));
  // Results must have the words of the best of these.
  const answers = candidates.filter(
    ({ record, places }) => index.isCatalogue(record) || places.every((place) => TITLE_FIELDS.has(place?.field)),
  );
  const [best] = (answers.length > 0 ? answers : candidates).toSorted((a, b) => b.naming - a.naming);
  const isRequired = concepts.map((_, i) => best?.places[i] !== undefined);
  const words = new Map(concepts.flatMap((concept) => [...concept.words]).toSorted(([, a], [, b]) => a - b));
  const kindOf = ({ record, places }: Candidate): SearchKind =>
    kind !== 'product' && kinds[record] === 'product' && places.some((place) => place?.field === 'documents')
      ? 'document'
      : (kinds[record] ?? 'page');
  const scored = candidates
    .filter((candidate) => candidate.places.every((place, i) => place !== undefined || !isRequired[i]))
    .filter((candidate) => kind === undefined || kindOf(candidate) === kind)
    .map((candidate) => ({
      candidate,
      score: candidate.weight * candidate.naming * titleFactor(index, candidate, words),
    }))
    .toSorted((a, b) => b.score - a.score || a.candidate.record - b.candidate.record);
  const omitted = concepts.filter((_, i) => !isRequired[i]).map(({ text }) => text);
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

/** Returns how well a query names a record. Articles that only mention it, and lists with more than it, come later. */
function titleFactor(index: SearchIndex, { record, places }: Candidate, words: ReadonlyMap<string, number>): number {
  const kind = index.file.kinds[record];
  const title = index.file.titles[record] ?? '';
  // The subtitle of an article follows a colon.
  const share = Math.max(coverage(index, title, words), coverage(index, title.split(':')[0] ?? '', words));
  const isNamed =
    kind === 'post' || kind === 'episode'
      ? share >= NAMING_SHARE
      : places.every((place) => TITLE_FIELDS.has(place?.field) && (place?.weight ?? 0) >= NAMING_WEIGHT);
  return isNamed || kind === 'product' || kind === 'norm' ? 1 + TITLE_COVERAGE * share : UNNAMED;
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
  const value = ({ places }: Term): number =>
    [...places].reduce((sum, [field, records]) => sum + (TITLE_FIELDS.has(field) ? 100 : 1) * records.length, 0);
  const completions = new Map(
    index.terms
      .filter(({ word, stem, places }) => word.startsWith(last) && !last.startsWith(stem) && places.size > 0)
      .toSorted((a, b) => value(a) - value(b))
      // The most frequent form of a word replaces the others.
      .map(({ stem, form }) => [stem, [before, likeCase(form, words.at(-1) ?? '')].filter(Boolean).join(' ')]),
  );
  const suggestions = [...titles.slice(0, 3), ...[...completions.values()].toReversed()];
  return [...new Set(suggestions)].slice(0, MAX_SUGGESTIONS);
}
