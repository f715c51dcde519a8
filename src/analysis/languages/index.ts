import { baseLanguage } from '#contracts/localized.ts';
import englishLists from './english.json' with { type: 'json' };
import frenchLists from './french.json' with { type: 'json' };
import germanLists from './german.json' with { type: 'json' };

/** Rules of one language for text analysis. */
export interface LanguageRules {
  /** Articles, pronouns, prepositions and auxiliaries, in lower case. */
  functionWords: ReadonlySet<string>;
  transitions: PhraseSet;
  /** Words that say little at the start of a sentence, so the next word is compared too. */
  weakBeginnings: ReadonlySet<string>;
  /** Abbreviations without their final full stop, such as `z.b` or `ca`. */
  abbreviations: ReadonlySet<string>;
  /** True if `3. ` is an ordinal number rather than the end of a sentence. */
  hasOrdinalStops: boolean;
  splitsAtApostrophes: boolean;
  /** Returns the word without its ending, so that forms of one word are equal. Lower case in, lower case out. */
  stem(word: string): string;
  /** Counts syllables, at least 1. Expects lower case. */
  syllables(word: string): number;
  /** Computes reading ease from words per sentence and syllables per word. */
  readingEase(wordsPerSentence: number, syllablesPerWord: number): number;
  /** True if a clause is in the passive voice. Expects the original letter case. */
  isPassive(clause: readonly string[]): boolean;
}

/** Phrases of one or more words, by their first word. */
type PhraseSet = ReadonlyMap<string, readonly (readonly string[])[]>;

/** Parses lines of words separated by spaces. */
export function parseWordList(lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}

/** Parses lines of phrases separated by commas. */
export function parsePhraseList(lines: readonly string[]): PhraseSet {
  const phrases = new Map<string, (readonly string[])[]>();
  for (const phrase of lines.flatMap((line) => line.split(','))) {
    const [first = '', ...rest] = phrase.trim().split(/[\s'’-]+/);
    const known = phrases.get(first);
    if (known) known.push(rest);
    else if (first !== '') phrases.set(first, [rest]);
  }
  return phrases;
}

/** True if the words contain one of the phrases. Expects lower case. */
export function containsPhrase(words: readonly string[], phrases: PhraseSet): boolean {
  return words.some((word, at) =>
    (phrases.get(word) ?? []).some((rest) => rest.every((next, n) => words[at + 1 + n] === next)),
  );
}

/** Removes accents and replaces `ß` by `ss`. */
export function removeAccents(word: string): string {
  if (/^[a-z\d]*$/.test(word)) return word;
  return word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('œ', 'oe').normalize('NFC');
}

/** Word lists that all languages have. */
interface WordLists {
  functionWords: readonly string[];
  transitions: readonly string[];
  weakBeginnings: readonly string[];
  abbreviations: readonly string[];
}

function parseLists({ functionWords, transitions, weakBeginnings, abbreviations }: WordLists) {
  return {
    functionWords: parseWordList(functionWords),
    transitions: parsePhraseList(transitions),
    weakBeginnings: parseWordList(weakBeginnings),
    abbreviations: parseWordList(abbreviations),
    hasOrdinalStops: false,
    splitsAtApostrophes: false,
  };
}

/** Maximum number of words between an auxiliary and its participle. */
const MOST_WORDS_BETWEEN = 3;

/**
 * True if an auxiliary is followed by a participle.
 * @param stops words that start a new noun phrase, so that a following participle describes the noun
 */
function hasPassive(
  words: readonly string[],
  isAuxiliary: (word: string, before: string) => boolean,
  isParticiple: (word: string) => boolean,
  stops: ReadonlySet<string>,
): boolean {
  return words.some((word, at) => {
    if (!isAuxiliary(word, words[at - 1] ?? '')) return false;
    const following = words.slice(at + 1, at + 2 + MOST_WORDS_BETWEEN);
    const found = following.findIndex((next) => stops.has(next) || isParticiple(next));
    return found >= 0 && !stops.has(following[found] ?? '');
  });
}

const ENGLISH_WORDS = {
  be: parseWordList(englishLists.be),
  /** Past participles without `-ed` of verbs in product texts. */
  irregular: parseWordList(englishLists.irregularParticiples),
  nonParticiples: parseWordList(englishLists.nonParticiples),
  stops: parseWordList(englishLists.stops),
};

function isEnglishParticiple(word: string): boolean {
  if (ENGLISH_WORDS.nonParticiples.has(word)) return false;
  return ENGLISH_WORDS.irregular.has(word) || (word.length > 3 && word.endsWith('ed'));
}

/** Removes endings of plural, possessive and verb forms. */
function stemEnglish(word: string): string {
  let rest = removeAccents(word).replace(/['’]s?$/, '');
  if (rest.length > 4 && rest.endsWith('ies')) rest = `${rest.slice(0, -3)}y`;
  else if (/(?:s|x|z|ch|sh)es$/.test(rest) && rest.length > 4) rest = rest.slice(0, -2);
  else if (rest.length > 3 && /[^sui]s$/.test(rest)) rest = rest.slice(0, -1);
  const verb = /^(.{3,})(?:ing|ed)$/.exec(rest)?.[1];
  if (verb !== undefined && /[aeiouy]/.test(verb)) rest = verb.replace(/([bdfgmnprt])\1$/, '$1');
  return rest.length > 3 && rest.endsWith('e') ? rest.slice(0, -1) : rest;
}

function countEnglishSyllables(word: string): number {
  const spoken = word
    .replace(/(?:[^laeiouysxzhgc]es|[^td]ed|[^l]e)$/, (ending) => ending.charAt(0))
    .replace(/^y/, '')
    .replace(/ia|io(?!n)|ua(?!r)|eo|ea$/g, 'a-a');
  return Math.max(1, spoken.match(/[aeiouyé]+/g)?.length ?? 0);
}

const ENGLISH: LanguageRules = {
  ...parseLists(englishLists),
  stem: stemEnglish,
  syllables: countEnglishSyllables,
  // Flesch 1948.
  readingEase: (wordsPerSentence, syllablesPerWord) => 206.835 - 1.015 * wordsPerSentence - 84.6 * syllablesPerWord,
  isPassive(clause) {
    const words = clause.map((word) => word.toLowerCase().replace(/['’]\p{L}{1,3}$/u, ''));
    return hasPassive(words, (word) => ENGLISH_WORDS.be.has(word), isEnglishParticiple, ENGLISH_WORDS.stops);
  },
};

const FRENCH_WORDS = {
  etre: parseWordList(frenchLists.etre),
  /** Verbs that form the past tense with `être`. */
  motionVerbs: parseWordList(frenchLists.motionVerbs),
  /** Past participles without `-é`, masculine singular. */
  irregular: parseWordList(frenchLists.irregularParticiples),
  /** Adjectives and nouns in `-é`. */
  nonParticiples: parseWordList(frenchLists.nonParticiples),
  stops: parseWordList(frenchLists.stops),
  /** With a reflexive pronoun, `être` forms the past tense: `s'est fermé`. */
  reflexive: new Set(['s', 'se', 'me', 'm', 'te', 't']),
};

function isFrenchParticiple(word: string): boolean {
  const { etre, nonParticiples, motionVerbs, irregular } = FRENCH_WORDS;
  const masculine = word.replace(/([eéiut])s$/, '$1').replace(/([éiust])e$/, '$1');
  if (etre.has(word) || nonParticiples.has(masculine) || motionVerbs.has(masculine)) return false;
  return irregular.has(word) || irregular.has(masculine) || (masculine.length > 3 && masculine.endsWith('é'));
}

/** Removes accents and endings of plural and feminine forms. */
function stemFrench(word: string): string {
  let rest = removeAccents(word);
  if (rest.length > 4 && rest.endsWith('aux')) rest = `${rest.slice(0, -3)}al`;
  else if (rest.length > 3 && /[sx]$/.test(rest)) rest = rest.slice(0, -1);
  for (let round = 0; round < 2 && rest.length > 4 && rest.endsWith('e'); round++) rest = rest.slice(0, -1);
  return rest;
}

const FRENCH_VOWELS = /eau|[aeo]i|au|ou|eu|œu|oi|ui|[aàâeéèêëiîïoôuùûüyœ]/g;

const FRENCH: LanguageRules = {
  ...parseLists(frenchLists),
  splitsAtApostrophes: true,
  stem: stemFrench,
  syllables: (word) => Math.max(1, word.replace(/(.)(?:e|es|ent)$/, '$1').match(FRENCH_VOWELS)?.length ?? 0),
  // Kandel and Moles 1958: Flesch's formula for French.
  readingEase: (wordsPerSentence, syllablesPerWord) => 207 - 1.015 * wordsPerSentence - 73.6 * syllablesPerWord,
  isPassive(clause) {
    const { etre, reflexive, stops } = FRENCH_WORDS;
    const words = clause.map((word) => word.toLowerCase());
    return hasPassive(words, (word, before) => etre.has(word) && !reflexive.has(before), isFrenchParticiple, stops);
  },
};

const AUXILIARIES = parseWordList(germanLists.auxiliaries);

/** Participles in `-en` of verbs without `ge-`. A pattern would also match infinitives, which form the future tense. */
const STRONG = parseWordList(germanLists.strongParticiples);

/** Words with `ge` that are not participles. */
const NON_PARTICIPLES = parseWordList(germanLists.nonParticiples);

const SEPARABLE =
  '(?:ab|an|auf|aus|bei|dar|durch|ein|fest|fort|frei|her|hin|los|mit|nach|um|vor|weg|weiter|wieder|zu|zurück|zusammen)';
const WITH_GE = new RegExp(`^${SEPARABLE}?ge\\p{Ll}{2,}(?:t|en)$`, 'u');
const WITH_PREFIX = new RegExp(
  `^${SEPARABLE}?(?:be|ent|er|ver|zer|emp|miss|über|unter|hinter|wider)\\p{Ll}{3,}t$`,
  'u',
);
const FOREIGN = /\p{Ll}iert$/u;

function isGermanParticiple(word: string): boolean {
  // Nouns start with a capital letter.
  if (!/^\p{Ll}/u.test(word) || NON_PARTICIPLES.has(word)) return false;
  return STRONG.has(word) || WITH_GE.test(word) || WITH_PREFIX.test(word) || FOREIGN.test(word);
}

const ENDINGS = ['ern', 'em', 'en', 'er', 'es', 'e'] as const;

/** Removes umlauts and up to two declension endings. */
function stemGerman(word: string): string {
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
const GERMAN_VOWELS = /aa|ai|au|äu|ee|ei|eu|ie|oo|[aeiouyäöüàáâéèêíîóôúû]/g;

const GERMAN: LanguageRules = {
  ...parseLists(germanLists),
  hasOrdinalStops: true,
  stem: stemGerman,
  syllables: (word) => Math.max(1, word.match(GERMAN_VOWELS)?.length ?? 0),
  // Amstad 1978: Flesch's formula for German.
  readingEase: (wordsPerSentence, syllablesPerWord) => 180 - wordsPerSentence - 58.5 * syllablesPerWord,
  isPassive: (clause) => clause.some((word) => AUXILIARIES.has(word.toLowerCase())) && clause.some(isGermanParticiple),
};

const RULES: ReadonlyMap<string, LanguageRules> = new Map([
  ['de', GERMAN],
  ['en', ENGLISH],
  ['fr', FRENCH],
]);

/** Returns the rules of a language code, with or without a region; undefined if there are none. */
export function languageRules(language: string): LanguageRules | undefined {
  return RULES.get(baseLanguageCode(language));
}

/** Sentences with more words than this are long. */
const LONG_SENTENCES: ReadonlyMap<string, number> = new Map([
  ...['ca', 'es', 'fa', 'it', 'pt'].map((language) => [language, 25] as const),
  ...['he', 'ru', 'tr'].map((language) => [language, 15] as const),
]);

export function maxSentenceWords(language: string): number {
  return LONG_SENTENCES.get(baseLanguageCode(language)) ?? 20;
}

/** `de_AT`, `de-AT`, `DE` -> `de`. */
export function baseLanguageCode(language: string): string {
  return baseLanguage(language.replaceAll('_', '-').toLowerCase());
}

/** Characters that suffice to recognise a language. */
const SAMPLE = 20_000;
const LEAST_FUNCTION_WORDS = 3;

/** Guesses the language of a text by its function words; undefined if there are too few. */
export function guessLanguage(text: string): string | undefined {
  const words =
    text
      .slice(0, SAMPLE)
      .toLowerCase()
      .match(/\p{L}+/gu) ?? [];
  const counts = [...RULES].map(([language, { functionWords }]): [string, number] => [
    language,
    words.filter((word) => functionWords.has(word)).length,
  ]);
  const [best] = counts.toSorted(([, a], [, b]) => b - a);
  return best && best[1] >= LEAST_FUNCTION_WORDS ? best[0] : undefined;
}
