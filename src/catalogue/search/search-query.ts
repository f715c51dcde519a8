import { extractDigits, parseGtin, type GtinProblem } from '#contracts/gtin.ts';
import {
  addPlace,
  NUMBER_WEIGHTS,
  type Match,
  type NumberQuery,
  type Place,
  type SearchIndex,
} from './search-index.ts';
import { foldNumber, foldWord } from './words.ts';

/** Words that match a part of the query together. */
interface Alternative {
  matches: readonly (readonly Match[])[];
  quality: number;
}

/** A part of the query that records match in one of its alternatives: a word, a phrase, or a number. */
export interface Concept {
  /** As it was typed. */
  text: string;
  /** Number of words. */
  size: number;
  /** Words that match, with their quality. */
  words: Map<string, number>;
  /** Best place in each record that has it. */
  places: Map<number, Place>;
}

export interface ParsedQuery {
  concepts: Concept[];
  /** The query with corrected words. Undefined if nothing was corrected. */
  corrected: string | undefined;
  /** Corrected words, as they were typed. */
  unknown: string[];
  /** Problem with the number to report. */
  problem: Extract<GtinProblem, 'check-digit' | 'packaging-level'> | undefined;
  /** Products with exactly this number: item numbers need not be unique. */
  exact: readonly number[];
}

const SYNONYM_QUALITY = 0.8;
/** Quality of synonyms if the catalogue has the searched word itself. */
const OTHER_WORD_QUALITY = 0.25;
const COMPOUND_QUALITY = 0.7;

interface Token {
  form: string;
  word: string;
  /** Empty for unknown words. */
  matches: readonly Match[];
  /** Pieces of a compound word. */
  pieces?: string[];
  corrected?: string;
}

export function parseQuery(index: SearchIndex, text: string): ParsedQuery {
  // Repeated words find nothing new, but take time.
  const tokens = [...new Set(index.forms(text))].map((form) => readToken(index, form));
  const number = numberQuery(text);
  const isKnown = tokens.length > 0 && tokens.every(({ matches, pieces }) => matches.length > 0 || pieces);
  const numbers = number && index.numbers(number, !isKnown);
  if (numbers && (numbers.size > 0 || (!isKnown && number.digits !== undefined))) {
    const exact = [...numbers].filter(([, { weight }]) => weight === NUMBER_WEIGHTS.exact).map(([record]) => record);
    const words = isKnown ? [{ matches: tokens.map(({ matches }) => matches), quality: 1 }] : [];
    const concept = toConcept(index, { text, size: 1 }, words, numbers);
    const problem = exact.length > 0 ? undefined : number.problem;
    return { concepts: [concept], corrected: undefined, unknown: [], problem, exact };
  }
  const concepts: Concept[] = [];
  for (let i = 0; i < tokens.length; i += concepts.at(-1)?.size ?? 1) concepts.push(readPhrase(index, tokens.slice(i)));
  const unknown = tokens.filter(({ corrected }) => corrected !== undefined).map(({ form }) => form);
  const forms = tokens.map(({ form, corrected }) => corrected ?? form);
  return {
    concepts,
    corrected: unknown.length > 0 ? forms.join(' ') : undefined,
    unknown,
    problem: undefined,
    exact: [],
  };
}

function readToken(index: SearchIndex, form: string): Token {
  const word = foldWord(form);
  const token: Token = { form, word, matches: index.matches(word) };
  if (isInCatalogue(index, [token])) return token;
  const pieces = index.split(word);
  if (pieces && findAlternative(index, compoundOf(index, pieces)).size > 0) return { ...token, pieces };
  if (token.matches.length > 0) return token;
  const [longest = ''] = (pieces ?? index.endings(word)).toSorted((a, b) => b.length - a.length);
  const typed = pieces ? [] : index.similar(word);
  const similar = typed.length > 0 || longest === '' ? typed : index.matches(longest);
  const [best] = similar;
  if (!best) return token;
  return {
    form,
    word: best.term.word,
    // The most similar word is as good as if it had been typed.
    matches: [...index.matches(best.term.word), ...similar.slice(1)],
    corrected: likeCase(best.term.form, form),
  };
}

/** Writes a word with a capital if another has one. */
export function likeCase(word: string, other: string): string {
  return /^\p{Lu}/u.test(other) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

/** Longest phrase in synonyms, in words. */
const MAX_PHRASE = 5;

/** Returns the concept at the beginning of some words: the longest phrase that has synonyms, else a word. */
function readPhrase(index: SearchIndex, tokens: readonly Token[]): Concept {
  for (let size = Math.min(MAX_PHRASE, tokens.length); size > 0; size--) {
    const part = tokens.slice(0, size);
    const text = part.map(({ form }) => form).join(' ');
    const joined = part.map(({ word }) => word).join('');
    const others = index.synonyms.flatMap((group) => {
      const rest = group.filter((term) => !isPhrase(part, term));
      return rest.length < group.length ? rest : [];
    });
    const isCompound = size > 1 && index.has(joined);
    if (size > 1 && others.length === 0 && !isCompound) continue;
    const quality = isInCatalogue(index, part) ? OTHER_WORD_QUALITY : SYNONYM_QUALITY;
    const alternatives = [
      { matches: part.map(({ matches }) => matches), quality: 1 },
      ...(isCompound ? [{ matches: [index.matches(joined)], quality: 1 }] : []),
      ...others.map((term) => ({ matches: term.map((word) => index.matches(word)), quality })),
      ...part.flatMap(({ pieces }) => (size === 1 && pieces ? [compoundOf(index, pieces)] : [])),
    ];
    const number = size === 1 ? numberQuery(text) : undefined;
    const concept = toConcept(index, { text, size }, alternatives, number && index.numbers(number));
    // A phrase without results is searched word by word.
    if (size === 1 || concept.places.size > 0) return concept;
  }
  throw new RangeError('A phrase has at least one word.');
}

function toConcept(
  index: SearchIndex,
  part: Pick<Concept, 'text' | 'size'>,
  alternatives: readonly Alternative[],
  numbers: ReadonlyMap<number, Place> = new Map(),
): Concept {
  const words = new Map<string, number>();
  const places = new Map<number, Place>(numbers);
  for (const alternative of alternatives) {
    for (const { term, quality } of alternative.matches.flat())
      words.set(term.word, Math.max(words.get(term.word) ?? 0, quality * alternative.quality));
    for (const [record, place] of findAlternative(index, alternative)) addPlace(places, record, place);
  }
  return { ...part, words, places };
}

/** Returns the records that have all words, with the mean of their weights. */
function findAlternative(index: SearchIndex, { matches, quality }: Alternative): Map<number, Place> {
  const [first = new Map<number, Place>(), ...others] = matches.map((ofWord) => index.placesOf(ofWord));
  const found = new Map<number, Place>();
  for (const [record, place] of first) {
    const places = [place, ...others.flatMap((other) => other.get(record) ?? [])];
    if (places.length < matches.length) continue;
    const weight = (quality * places.reduce((sum, one) => sum + one.weight, 0)) / places.length;
    const worst = places.reduce((a, b) => (b.weight < a.weight ? b : a));
    found.set(record, { weight, field: worst.field });
  }
  return found;
}

/** True if a product, family or norm is described by these words together. */
function isInCatalogue(index: SearchIndex, tokens: readonly Token[]): boolean {
  const matches = tokens.map((token) => token.matches.filter(({ quality }) => quality >= 0.9));
  return [...findAlternative(index, { matches, quality: 1 })].some(
    ([record, { field }]) => index.isCatalogue(record) && field !== 'text' && field !== 'prose',
  );
}

function compoundOf(index: SearchIndex, pieces: readonly string[]): Alternative {
  return { matches: pieces.map((piece) => index.matches(piece)), quality: COMPOUND_QUALITY };
}

/** True if words are those of a term, in any form. */
function isPhrase(tokens: readonly Token[], term: readonly string[]): boolean {
  return (
    term.length === tokens.length &&
    tokens.every(({ word, matches }, i) => {
      const quality = word === term[i] ? 1 : (matches.find((match) => match.term.word === term[i])?.quality ?? 0);
      return quality >= 0.9 || (quality >= 0.7 && word.length >= 5);
    })
  );
}

/** Fewer digits match too many numbers. */
const MIN_DIGITS = 3;
/** More letters are a word. */
const MAX_LETTERS = 6;

/** @returns Undefined if it is neither a number nor a part of one. */
export function numberQuery(text: string): (NumberQuery & Pick<ParsedQuery, 'problem'>) | undefined {
  const digits = extractDigits(text);
  const isAllDigits = /^\d+$/.test(digits);
  const folded = isAllDigits ? digits : foldNumber(text);
  const letters = folded.replaceAll(/\d/g, '').length;
  if (folded.length - letters < (letters > 0 ? 2 : MIN_DIGITS) || letters > MAX_LETTERS) return undefined;
  const reading = parseGtin(text);
  // The GTIN of a carton contains that of the product, between its indicator and check digit.
  const isCarton = !reading.ok && reading.reason === 'packaging-level';
  return {
    folded,
    gtin13: reading.ok ? reading.gtin13 : undefined,
    digits: isCarton ? digits.slice(1, -1) : isAllDigits ? digits : undefined,
    problem: reading.ok ? undefined : problemToReport(reading.reason, digits),
  };
}

/** Shorter numbers are more likely parts of a GTIN. */
const MIN_WHOLE_GTIN = 13;

function problemToReport(reason: GtinProblem, digits: string): ParsedQuery['problem'] {
  if (reason === 'packaging-level') return reason;
  return reason === 'check-digit' && digits.length >= MIN_WHOLE_GTIN ? reason : undefined;
}
