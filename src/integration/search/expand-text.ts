import { foldText } from '../../catalogue/sort-key.ts';
import { transliterate } from '../../catalogue/transliterate.ts';
import type { Synonyms } from './synonyms-file.ts';

/** Shorter words, such as `UV`, are in too many others. */
const MIN_PREFIX_CHARACTERS = 5;

/** @returns Gives the words that somebody may look for a text by, although they don't stand in it. */
export function openExpander({ synonyms: groups, parts }: Synonyms): (text: string) => string {
  const foldedParts = parts.map(foldText);
  const matchers = groups.map((group) => ({ group, pattern: patternOf(group) }));
  return (text) => {
    const folded = foldText(text);
    const synonyms = matchers.flatMap(({ group, pattern }) =>
      pattern.test(folded) ? group.filter((term) => !folded.includes(foldText(term))) : [],
    );
    const words = `${text} ${synonyms.join(' ')}`;
    return [...new Set([...synonyms, ...respelled(words), ...partsOf(words, foldedParts)])].join(' ');
  };
}

/** A long term is found at the beginning of a word, and so in its plural and compounds; a short one as a word. */
function patternOf(group: readonly string[]): RegExp {
  const terms = group.map((term) => {
    const folded = foldText(term);
    const escaped = folded.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\s+/g, '\\s+');
    return folded.length < MIN_PREFIX_CHARACTERS ? `${escaped}(?![\\p{L}\\p{N}])` : escaped;
  });
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.join('|')})`, 'u');
}

/** Words with `ä`, `ß` and the like as they are typed on other keyboards. */
function respelled(text: string): string[] {
  return (text.match(/\p{L}+/gu) ?? []).flatMap((word) => {
    const plain = transliterate(word);
    return plain === word.normalize('NFC').toLowerCase() ? [] : [plain];
  });
}

/** A word has at least so much before its part; else it is the word itself. */
const MIN_BEFORE_PART = 3;

function partsOf(text: string, parts: readonly string[]): string[] {
  if (parts.length === 0) return [];
  const words = new Set(foldText(text).match(/\p{L}+/gu));
  return parts.filter((part) => [...words].some((word) => word.indexOf(part, MIN_BEFORE_PART) >= 0));
}
