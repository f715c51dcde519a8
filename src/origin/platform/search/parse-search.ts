/** What a person searches for. */
export interface SearchTerms {
  /** Each must be found. */
  wanted: readonly string[];
  /** None may be found. */
  unwanted: readonly string[];
  /** The whole text, for finding it as one phrase. */
  phrase: string;
}

const MAX_TERMS = 9;

const STOP_WORDS = new Set(
  'about an are as at be by com for from how in is it of on or that the this to was what when where who will with www'.split(
    ' ',
  ),
);

/**
 * Reads the grammar of `search`: words between spaces and commas, phrases in double quotes, and a minus before
 * what must not be found. Stop words and single letters are dropped; when nothing is left, or too much, the whole
 * text is one phrase.
 */
export function parseSearch(text: string): SearchTerms | undefined {
  const phrase = text.trim();
  if (phrase === '') return undefined;
  const terms = [...phrase.matchAll(/"([^"]*)"?|[^\s,"]+/g)].map((match) => match[1]?.trim() ?? match[0]);
  const kept = terms.filter((term) => term !== '' && !isNoise(term));
  if (kept.length === 0 || kept.length > MAX_TERMS) return { wanted: [phrase], unwanted: [], phrase };
  return {
    wanted: kept.filter((term) => !term.startsWith('-')),
    unwanted: kept.filter((term) => term.startsWith('-')).map((term) => term.slice(1)),
    phrase,
  };
}

function isNoise(term: string): boolean {
  return /^[a-z-]$/i.test(term) || STOP_WORDS.has(term.toLowerCase());
}
