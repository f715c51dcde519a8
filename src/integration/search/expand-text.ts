import { foldText } from '../../catalogue/sort-key.ts';
import { transliterate } from '../../catalogue/transliterate.ts';
import type { SynonymGroup } from './synonyms-file.ts';

/** Shorter words, such as `UV`, are in too many others. */
const MIN_PREFIX_CHARACTERS = 5;

/** @returns Gives the words that somebody may look for a text by, although they don't stand in it. */
export function openExpander(groups: readonly SynonymGroup[]): (text: string) => string {
  const matchers = groups.map((group) => ({ group, pattern: patternOf(group) }));
  return (text) => {
    const folded = foldText(text);
    const synonyms = matchers.flatMap(({ group, pattern }) =>
      pattern.test(folded) ? group.filter((term) => !folded.includes(foldText(term))) : [],
    );
    return [...new Set([...synonyms, ...respelled(`${text} ${synonyms.join(' ')}`)])].join(' ');
  };
}

/** A long term is found at the beginning of a word, and so in its plural and compounds; a short one as a word. */
function patternOf(group: SynonymGroup): RegExp {
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
