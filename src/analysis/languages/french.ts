import { parsePhraseList, removeAccents, parseWordList, type LanguageRules } from './language-rules.ts';
import lists from './french.json' with { type: 'json' };

const ETRE = parseWordList(lists.etre);

/** Verbs that form the past tense with `être`. */
const MOTION_VERBS = parseWordList(lists.motionVerbs);

/** Past participles without `-é`, masculine singular. */
const IRREGULAR = parseWordList(lists.irregularParticiples);

/** Adjectives and nouns in `-é`. */
const NON_PARTICIPLES = parseWordList(lists.nonParticiples);

/** Words that start a noun phrase. */
const STOPS = parseWordList(lists.stops);
const MOST_WORDS_BETWEEN = 3;

function masculine(word: string): string {
  const singular = word.replace(/([eéiut])s$/, '$1');
  return singular.replace(/([éiust])e$/, '$1');
}

function isParticiple(word: string): boolean {
  const form = masculine(word);
  if (NON_PARTICIPLES.has(form) || MOTION_VERBS.has(form)) return false;
  return IRREGULAR.has(word) || IRREGULAR.has(form) || (form.length > 3 && form.endsWith('é'));
}

function isPassive(clause: readonly string[]): boolean {
  const words = clause.map((word) => word.toLowerCase());
  return words.some((word, at) => {
    const before = words[at - 1] ?? '';
    // With a reflexive pronoun it is the past tense: `s'est fermé`.
    if (!ETRE.has(word) || ['s', 'se', 'me', 'm', 'te', 't'].includes(before)) return false;
    for (const next of words.slice(at + 1, at + 2 + MOST_WORDS_BETWEEN)) {
      if (STOPS.has(next)) return false;
      if (!ETRE.has(next) && isParticiple(next)) return true;
    }
    return false;
  });
}

/** Removes accents and endings of plural and feminine forms. */
function stem(word: string): string {
  let rest = removeAccents(word);
  if (rest.length > 4 && rest.endsWith('aux')) rest = `${rest.slice(0, -3)}al`;
  else if (rest.length > 3 && /[sx]$/.test(rest)) rest = rest.slice(0, -1);
  for (let round = 0; round < 2 && rest.length > 4 && rest.endsWith('e'); round++) rest = rest.slice(0, -1);
  return rest;
}

const VOWELS = /eau|[aeo]i|au|ou|eu|œu|oi|ui|[aàâeéèêëiîïoôuùûüyœ]/g;

export const FRENCH: LanguageRules = {
  functionWords: parseWordList(lists.functionWords),
  transitions: parsePhraseList(lists.transitions),
  weakBeginnings: parseWordList(lists.weakBeginnings),
  abbreviations: parseWordList(lists.abbreviations),
  hasOrdinalStops: false,
  splitsAtApostrophes: true,
  stem,
  syllables: (word) => Math.max(1, word.replace(/(.)(?:e|es|ent)$/, '$1').match(VOWELS)?.length ?? 0),
  // Kandel and Moles 1958: Flesch's formula for French.
  readingEase: (wordsPerSentence, syllablesPerWord) => 207 - 1.015 * wordsPerSentence - 73.6 * syllablesPerWord,
  isPassive,
};
