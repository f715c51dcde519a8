import { extractDigits, parseGtin, type GtinProblem } from '#contracts/gtin.ts';
import type { NumberQuery, Match, Place, SearchIndex } from './search-index.ts';
import { foldNumber, foldWord } from './words.ts';

/** Words that may match a part of the query together. */
export interface Alternative {
  matches: readonly (readonly Match[])[];
  quality: number;
  /** Products that match by number, exactly or in part. */
  numbers?: { exact: readonly number[]; partial: readonly number[] };
}

/** A part of the query that records have to match in one of its alternatives: a word, a phrase, or a number. */
export interface Concept {
  /** As it was typed. */
  text: string;
  /** Number of words. */
  size: number;
  alternatives: Alternative[];
  /** Best place in each record that has it. */
  places: ReadonlyMap<number, Place>;
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
/** Quality of a partial number, and of one with wrong digits. */
const NUMBER_QUALITY = { partial: 0.6, similar: 0.4 };

interface Token {
  form: string;
  word: string;
  /** Empty for unknown words. */
  matches: readonly Match[];
  /** Pieces of a compound word. */
  pieces: string[] | undefined;
  corrected: string | undefined;
}

export function parseQuery(index: SearchIndex, text: string): ParsedQuery {
  const number = numberQuery(text);
  const found = number && index.numbers(number);
  const tokens = readTokens(index, text);
  const forms = tokens.map(({ form, corrected }) => corrected ?? form);
  const isNumber = found !== undefined && found.exact.length + found.partial.length > 0;
  const isKnown = tokens.length > 0 && tokens.every(({ matches, pieces }) => matches.length > 0 || pieces);
  const problem = found?.exact.length ? undefined : number?.problem;
  const exact = found?.exact ?? [];
  if (number && (isNumber || (!isKnown && number.digits !== undefined))) {
    const similar = isNumber ? [] : index.similarNumbers(number.digits ?? number.folded);
    const alternative = isNumber
      ? { matches: [], quality: NUMBER_QUALITY.partial, numbers: found }
      : { matches: [], quality: NUMBER_QUALITY.similar, numbers: { exact: [], partial: similar } };
    const words = { matches: tokens.map(({ matches }) => matches), quality: 1 };
    const alternatives = isKnown ? [alternative, words] : [alternative];
    const concept = { text, size: 1, alternatives, places: findPlaces(index, alternatives, 1) };
    return { concepts: [concept], corrected: undefined, unknown: [], problem, exact };
  }
  const unknown = tokens.filter(({ corrected }) => corrected !== undefined).map(({ form }) => form);
  const corrected = unknown.length > 0 ? forms.join(' ') : undefined;
  return { concepts: toConcepts(index, tokens), corrected, unknown, problem, exact: [] };
}

function readTokens(index: SearchIndex, text: string): Token[] {
  return index.forms(text).map((form) => {
    const word = foldWord(form);
    const token: Token = { form, word, matches: index.matches(word), pieces: undefined, corrected: undefined };
    if (isInCatalogue(index, [token])) return token;
    const pieces = index.split(word);
    if (pieces && findAlternative(index, compoundOf(index, pieces)).size > 0) return { ...token, pieces };
    if (token.matches.length > 0) return token;
    const [longest] = (pieces ?? []).toSorted((a, b) => b.length - a.length).map((piece) => index.matches(piece));
    if (longest?.[0]) return { ...token, matches: longest, corrected: likeCase(longest[0].term.form, form) };
    const similar = index.similar(word);
    const [best] = similar;
    if (!best) return token;
    return {
      ...token,
      word: best.term.word,
      // The most similar word is as good as if it had been typed.
      matches: [...index.matches(best.term.word), ...similar.slice(1)],
      corrected: likeCase(best.term.form, form),
    };
  });
}

/** Writes a word with a capital if another has one. */
export function likeCase(word: string, other: string): string {
  return /^\p{Lu}/u.test(other) ? word.charAt(0).toUpperCase() + word.slice(1) : word;
}

function toConcepts(index: SearchIndex, tokens: readonly Token[]): Concept[] {
  const concepts: Concept[] = [];
  for (let i = 0; i < tokens.length;) {
    const phrase = findPhrase(index, tokens.slice(i));
    concepts.push(phrase);
    i += phrase.size;
  }
  return concepts;
}

/** Longest phrase in synonyms, in words. */
const MAX_PHRASE = 5;

/** Returns the concept at the beginning of some words: the longest phrase that has synonyms, else a word. */
function findPhrase(index: SearchIndex, tokens: readonly Token[]): Concept {
  for (let size = Math.min(MAX_PHRASE, tokens.length); size > 0; size--) {
    const part = tokens.slice(0, size);
    const joined = part.map(({ word }) => word).join('');
    const others = index.synonyms.flatMap((group) => {
      const same = group.filter((term) => isPhrase(part, term));
      return same.length > 0 ? group.filter((term) => !same.includes(term)) : [];
    });
    const isCompound = size > 1 && index.has(joined);
    if (size > 1 && others.length === 0 && !isCompound) continue;
    const quality = isInCatalogue(index, part) ? OTHER_WORD_QUALITY : SYNONYM_QUALITY;
    const alternatives = [
      { matches: part.map(({ matches }) => matches), quality: 1 },
      ...(isCompound ? [{ matches: [index.matches(joined)], quality: 1 }] : []),
      ...others.map((term) => ({ matches: term.map((word) => index.matches(word)), quality })),
      ...part.flatMap((token) => alternativesOf(index, token, size)),
    ];
    const places = findPlaces(index, alternatives, size);
    // A phrase without results is searched word by word.
    if (size > 1 && places.size === 0) continue;
    return { text: part.map(({ form }) => form).join(' '), size, alternatives, places };
  }
  throw new RangeError('A phrase has at least one word.');
}

/** Share of the weight of further alternatives that match too. */
const FURTHER = 0.3;

/** Returns the best place of some alternatives in each record that has one of them. */
function findPlaces(index: SearchIndex, alternatives: readonly Alternative[], size: number): Map<number, Place> {
  const found = new Map<number, Place>();
  for (const alternative of alternatives) {
    for (const [record, { weight, field }] of findAlternative(index, alternative)) {
      const known = found.get(record);
      const [best, further] =
        known && known.weight > weight * size
          ? [known, weight * size]
          : [{ weight: weight * size, field }, known?.weight ?? 0];
      found.set(record, { ...best, weight: best.weight + FURTHER * further });
    }
  }
  return found;
}

/** Weight of a number, as of a title. */
const NUMBER_WEIGHT = 10;

function findAlternative(index: SearchIndex, { matches, quality, numbers }: Alternative): Map<number, Place> {
  if (numbers)
    return new Map([
      ...numbers.partial.map((record) => [record, { weight: NUMBER_WEIGHT * quality, field: 'title' }] as const),
      ...numbers.exact.map((record) => [record, { weight: NUMBER_WEIGHT * 2, field: 'title' }] as const),
    ]);
  const [first, ...others] = matches.map((ofWord) => index.placesOf(ofWord));
  if (!first) return new Map();
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
  const [first, ...others] = tokens.map(({ matches }) =>
    index.placesOf(matches.filter(({ quality }) => quality >= 0.9)),
  );
  const describes = (places: ReturnType<SearchIndex['placesOf']> | undefined, record: number): boolean =>
    !['text', 'prose'].includes(places?.get(record)?.field ?? 'text');
  return [...(first?.keys() ?? [])].some(
    (record) =>
      index.isCatalogue(record) && describes(first, record) && others.every((other) => describes(other, record)),
  );
}

/** Returns the alternatives of a single word: its pieces, and products with this number. */
function alternativesOf(index: SearchIndex, { form, pieces }: Token, size: number): Alternative[] {
  if (size > 1) return [];
  const number = numberQuery(form);
  const numbers = number && index.numbers(number);
  return [
    ...(pieces ? [compoundOf(index, pieces)] : []),
    ...(numbers ? [{ matches: [], quality: NUMBER_QUALITY.partial, numbers }] : []),
  ];
}

function compoundOf(index: SearchIndex, pieces: readonly string[]): Alternative {
  return { matches: pieces.map((piece) => index.matches(piece)), quality: COMPOUND_QUALITY };
}

/** True if words are those of a term, in any form. */
function isPhrase(tokens: readonly Token[], term: readonly string[]): boolean {
  return (
    term.length === tokens.length &&
    term.every((word, i) => {
      const token = tokens[i];
      if (!token) return false;
      if (token.word === word) return true;
      const match = token.matches.find((candidate) => candidate.term.word === word);
      return match !== undefined && (match.quality >= 0.9 || (match.quality >= 0.7 && token.word.length >= 5));
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
  if (folded.length - letters < MIN_DIGITS || letters > MAX_LETTERS) return undefined;
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
