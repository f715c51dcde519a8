import { foldText } from '#catalogue/languages/sort-key.ts';
import { transliterate } from '#catalogue/languages/transliterate.ts';
import type { Synonyms } from './synonyms-file.ts';

/** Shorter words, such as `UV`, are in too many others. */
const MIN_PREFIX_CHARACTERS = 5;

/**
 * Long texts, such as an hour of speech, repeat most of their words: each word is looked at once, and the whole text only
 * for terms of several words.
 * @returns Gives the words that somebody may look for a text by, although it doesn't have them.
 */
export function openExpander({ synonyms: groups, parts }: Synonyms): (text: string) => string {
  const foldedParts = parts.map(foldText);
  const terms = groups.map((group) => group.map((term) => ({ term, ...matcherOf(term) })));
  return (text) => {
    const once = [...new Set(text.split(/\s+/))].join(' ');
    const folded = foldText(once);
    let whole: string | undefined;
    const within = ({ words }: Matcher): string =>
      words.length < 2 || !words.every((word) => folded.includes(word))
        ? folded
        : (whole ??= foldText(text).replaceAll(/\s+/g, ' '));
    const synonyms = terms.flatMap((group) =>
      // To look for the letters first is much quicker than the pattern.
      group.some((one) => within(one).includes(one.letters) && one.pattern.test(within(one)))
        ? group.flatMap((one) => (within(one).includes(one.letters) ? [] : [one.term]))
        : [],
    );
    const words = [...new Set(`${once} ${synonyms.join(' ')}`.match(/\p{L}+/gu))];
    return [...new Set([...synonyms, ...respelled(words), ...partsOf(words, foldedParts)])].join(' ');
  };
}

interface Matcher {
  letters: string;
  /** Between spaces. */
  words: string[];
  pattern: RegExp;
}

/** A long term is found at the beginning of a word, and so in its plural and compounds; a short one as a word. */
function matcherOf(term: string): Matcher {
  const letters = foldText(term).replaceAll(/\s+/g, ' ');
  const escaped = letters.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const end = letters.length < MIN_PREFIX_CHARACTERS ? '(?![\\p{L}\\p{N}])' : '';
  return { letters, words: letters.split(' '), pattern: new RegExp(`(?<![\\p{L}\\p{N}])${escaped}${end}`, 'u') };
}

const BEYOND_ASCII = /[^a-z]/i;

/** Words with `ä`, `ß` and the like as they are typed on other keyboards. */
function respelled(words: readonly string[]): string[] {
  return words
    .filter((word) => BEYOND_ASCII.test(word))
    .flatMap((word) => {
      const plain = transliterate(word);
      return plain === word.normalize('NFC').toLowerCase() ? [] : [plain];
    });
}

/** A word has at least so much before its part; else it is the word itself. */
const MIN_BEFORE_PART = 3;

function partsOf(words: readonly string[], parts: readonly string[]): string[] {
  if (parts.length === 0) return [];
  const folded = words.map(foldText);
  const joined = folded.join(' ');
  // Most parts are in none: to look through all words at once is much quicker.
  return parts.filter(
    (part) => joined.includes(part) && folded.some((word) => word.indexOf(part, MIN_BEFORE_PART) >= 0),
  );
}
