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
