/** What the analysis knows of a language. */
export interface LanguageRules {
  /** Words that carry no meaning of their own: articles, pronouns, prepositions, auxiliaries. Lower case. */
  functionWords: ReadonlySet<string>;
  transitions: PhraseSet;
  /** Words at the beginning of a sentence that say nothing alone: with them the next word counts too. */
  weakBeginnings: ReadonlySet<string>;
  /** Without the last full stop, as `z.b` or `ca`. */
  abbreviations: ReadonlySet<string>;
  /** Whether `3. ` is an ordinal number rather than the end of a sentence. */
  hasOrdinalStops: boolean;
  splitsAtApostrophes: boolean;
  /** A word without its ending, so that forms of one word are equal. Lower case in, lower case out. */
  stem(word: string): string;
  /** How often this word is spoken with a new vowel, at least 1. Lower case. */
  syllables(word: string): number;
  /** Reading ease by words per sentence and syllables per word. */
  readingEase(wordsPerSentence: number, syllablesPerWord: number): number;
  /** Whether one clause is in the passive voice. Words as they are written. */
  isPassive(clause: readonly string[]): boolean;
}

/** Phrases of one or more words, by their first word. */
export type PhraseSet = ReadonlyMap<string, readonly (readonly string[])[]>;

/** A list of words parted by white space. */
export function wordList(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** A list of phrases, one in a line or parted by commas. */
export function phraseList(text: string): PhraseSet {
  const phrases = new Map<string, (readonly string[])[]>();
  for (const phrase of text.split(/[,\n]/)) {
    const [first = '', ...rest] = phrase.trim().split(/[\s'’-]+/);
    const known = phrases.get(first);
    if (known) known.push(rest);
    else if (first !== '') phrases.set(first, [rest]);
  }
  return phrases;
}

/** Whether one of the phrases stands in these words; all lower case. */
export function holdsPhrase(words: readonly string[], phrases: PhraseSet): boolean {
  return words.some((word, at) =>
    (phrases.get(word) ?? []).some((rest) => rest.every((next, n) => words[at + 1 + n] === next)),
  );
}

/** Letters without accents, and `ß` as `ss`. */
export function withoutAccents(word: string): string {
  if (/^[a-z\d]*$/.test(word)) return word;
  return word.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').replaceAll('œ', 'oe').normalize('NFC');
}
