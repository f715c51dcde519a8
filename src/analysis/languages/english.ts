import lists from './english.json' with { type: 'json' };
import { type LanguageRules, parseWordList, parsePhraseList, removeAccents } from './language-rules.ts';

const BE = parseWordList(lists.be);

/** Past participles without `-ed` of verbs in product texts. */
const IRREGULAR = parseWordList(lists.irregularParticiples);

const NON_PARTICIPLES = parseWordList(lists.nonParticiples);

/** Words that start a new noun phrase, so that a following participle describes the noun. */
const STOPS = parseWordList(lists.stops);
const MOST_WORDS_BETWEEN = 3;

function isParticiple(word: string): boolean {
  if (NON_PARTICIPLES.has(word)) return false;
  return IRREGULAR.has(word) || (word.length > 3 && word.endsWith('ed'));
}

function isPassive(clause: readonly string[]): boolean {
  const words = clause.map((word) => word.toLowerCase().replace(/['’]\p{L}{1,3}$/u, ''));
  return words.some((word, at) => {
    if (!BE.has(word)) return false;
    for (const next of words.slice(at + 1, at + 2 + MOST_WORDS_BETWEEN)) {
      if (STOPS.has(next)) return false;
      if (isParticiple(next)) return true;
    }
    return false;
  });
}

/** Removes endings of plural, possessive and verb forms. */
function stem(word: string): string {
  let rest = removeAccents(word).replace(/['’]s?$/, '');
  if (rest.length > 4 && rest.endsWith('ies')) rest = `${rest.slice(0, -3)}y`;
  else if (/(?:s|x|z|ch|sh)es$/.test(rest) && rest.length > 4) rest = rest.slice(0, -2);
  else if (rest.length > 3 && /[^sui]s$/.test(rest)) rest = rest.slice(0, -1);
  const verb = /^(.{3,})(?:ing|ed)$/.exec(rest)?.[1];
  if (verb !== undefined && /[aeiouy]/.test(verb)) rest = verb.replace(/([bdfgmnprt])\1$/, '$1');
  return rest.length > 3 && rest.endsWith('e') ? rest.slice(0, -1) : rest;
}

function syllables(word: string): number {
  const spoken = word
    .replace(/(?:[^laeiouysxzhgc]es|[^td]ed|[^l]e)$/, (ending) => ending.charAt(0))
    .replace(/^y/, '')
    .replace(/ia|io(?!n)|ua(?!r)|eo|ea$/g, 'a-a');
  return Math.max(1, spoken.match(/[aeiouyé]+/g)?.length ?? 0);
}

export const ENGLISH: LanguageRules = {
  functionWords: parseWordList(lists.functionWords),
  transitions: parsePhraseList(lists.transitions),
  weakBeginnings: parseWordList(lists.weakBeginnings),
  abbreviations: parseWordList(lists.abbreviations),
  hasOrdinalStops: false,
  splitsAtApostrophes: false,
  stem,
  syllables,
  // Flesch 1948.
  readingEase: (wordsPerSentence, syllablesPerWord) => 206.835 - 1.015 * wordsPerSentence - 84.6 * syllablesPerWord,
  isPassive,
};
