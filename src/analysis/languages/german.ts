import { parsePhraseList, removeAccents, parseWordList, type LanguageRules } from './language-rules.ts';
import lists from './german.json' with { type: 'json' };

const AUXILIARIES = parseWordList(lists.auxiliaries);

/** Participles in `-en` of verbs without `ge-`. A pattern would also match infinitives, which form the future tense. */
const STRONG = parseWordList(lists.strongParticiples);

/** Words with `ge` that are not participles. */
const NON_PARTICIPLES = parseWordList(lists.nonParticiples);

const SEPARABLE =
  '(?:ab|an|auf|aus|bei|dar|durch|ein|fest|fort|frei|her|hin|los|mit|nach|um|vor|weg|weiter|wieder|zu|zurück|zusammen)';
const WITH_GE = new RegExp(`^${SEPARABLE}?ge\\p{Ll}{2,}(?:t|en)$`, 'u');
const WITH_PREFIX = new RegExp(
  `^${SEPARABLE}?(?:be|ent|er|ver|zer|emp|miss|über|unter|hinter|wider)\\p{Ll}{3,}t$`,
  'u',
);
const FOREIGN = /\p{Ll}iert$/u;

function isParticiple(word: string): boolean {
  // Nouns start with a capital letter.
  if (!/^\p{Ll}/u.test(word) || NON_PARTICIPLES.has(word)) return false;
  return STRONG.has(word) || WITH_GE.test(word) || WITH_PREFIX.test(word) || FOREIGN.test(word);
}

const ENDINGS = ['ern', 'em', 'en', 'er', 'es', 'e'] as const;

/** Removes umlauts and up to two declension endings. */
function stem(word: string): string {
  let rest = removeAccents(word);
  for (let round = 0; round < 2; round++) {
    const ending =
      ENDINGS.find((ending) => rest.endsWith(ending)) ??
      (/[bdfghklmnrt]s$/.test(rest) ? 's' : /[lr]n$/.test(rest) ? 'n' : undefined);
    if (ending === undefined || rest.length - ending.length < 3) break;
    rest = rest.slice(0, -ending.length);
  }
  return rest;
}

/** Vowels and diphthongs. */
const VOWELS = /aa|ai|au|äu|ee|ei|eu|ie|oo|[aeiouyäöüàáâéèêíîóôúû]/g;

export const GERMAN: LanguageRules = {
  functionWords: parseWordList(lists.functionWords),
  transitions: parsePhraseList(lists.transitions),
  weakBeginnings: parseWordList(lists.weakBeginnings),
  abbreviations: parseWordList(lists.abbreviations),
  hasOrdinalStops: true,
  splitsAtApostrophes: false,
  stem,
  syllables: (word) => Math.max(1, word.match(VOWELS)?.length ?? 0),
  // Amstad 1978: Flesch's formula for German.
  readingEase: (wordsPerSentence, syllablesPerWord) => 180 - wordsPerSentence - 58.5 * syllablesPerWord,
  isPassive: (clause) => clause.some((word) => AUXILIARIES.has(word.toLowerCase())) && clause.some(isParticiple),
};
