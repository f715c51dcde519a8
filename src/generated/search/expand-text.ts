import { foldText } from '#catalogue/languages/sort-key.ts';
import { transliterate } from '#catalogue/languages/transliterate.ts';
import type { Synonyms } from './synonyms-file.ts';

/** Shorter terms such as `UV` only match whole words. */
const MIN_PREFIX_CHARACTERS = 5;

/**
 * Creates a function that returns additional search terms for a text. Long texts repeat most words, so each distinct
 * word is checked once. The complete text is only searched for terms of several words.
 */
export function createTextExpander({ synonyms: groups, parts }: Synonyms): (text: string) => string {
  const foldedParts = parts.map(foldText);
  const terms = groups.map((group) => group.map((term) => ({ term, ...matcherOf(term) })));
  return (text) => {
    const distinctWords = [...new Set(text.split(/\s+/))].join(' ');
    const folded = foldText(distinctWords);
    let whole: string | undefined;
    const within = ({ words }: Matcher): string =>
      words.length < 2 || !words.every((word) => folded.includes(word))
        ? folded
        : (whole ??= foldText(text).replaceAll(/\s+/g, ' '));
    const synonyms = terms.flatMap((group) =>
      // A substring check is much faster than the pattern.
      group.some((one) => within(one).includes(one.letters) && one.pattern.test(within(one)))
        ? group.flatMap((one) => (within(one).includes(one.letters) ? [] : [one.term]))
        : [],
    );
    const words = [...new Set(`${distinctWords} ${synonyms.join(' ')}`.match(/\p{L}+/gu))];
    return [...new Set([...synonyms, ...asciiSpellings(words), ...partsOf(words, foldedParts)])].join(' ');
  };
}

interface Matcher {
  letters: string;
  /** Words separated by spaces. */
  words: string[];
  pattern: RegExp;
}

/**
 * Creates a matcher. A long term also matches at the start of a word, such as plurals and compounds. A short one
 * matches whole words.
 */
function matcherOf(term: string): Matcher {
  const letters = foldText(term).replaceAll(/\s+/g, ' ');
  const escaped = letters.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const end = letters.length < MIN_PREFIX_CHARACTERS ? '(?![\\p{L}\\p{N}])' : '';
  return { letters, words: letters.split(' '), pattern: new RegExp(`(?<![\\p{L}\\p{N}])${escaped}${end}`, 'u') };
}

const BEYOND_ASCII = /[^a-z]/i;

/** Returns words with `ä`, `ß` and similar letters in their ASCII spelling. */
function asciiSpellings(words: readonly string[]): string[] {
  return words
    .filter((word) => BEYOND_ASCII.test(word))
    .flatMap((word) => {
      const plain = transliterate(word);
      return plain === word.normalize('NFC').toLowerCase() ? [] : [plain];
    });
}

/** Minimum number of characters before a part. Otherwise it is the word itself. */
const MIN_BEFORE_PART = 3;

function partsOf(words: readonly string[], parts: readonly string[]): string[] {
  if (parts.length === 0) return [];
  const folded = words.map(foldText);
  const joined = folded.join(' ');
  // Most parts match none of the words, so the joined words are checked first.
  return parts.filter(
    (part) => joined.includes(part) && folded.some((word) => word.indexOf(part, MIN_BEFORE_PART) >= 0),
  );
}
