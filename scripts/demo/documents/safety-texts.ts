import type { SafetyWords } from './safety-words.ts';
import { ENGLISH_SAFETY } from './safety-texts-en.ts';
import { FRENCH_SAFETY } from './safety-texts-fr.ts';
import { GERMAN_SAFETY } from './safety-texts-de.ts';

const WORDS: Readonly<Record<string, SafetyWords>> = { de: GERMAN_SAFETY, en: ENGLISH_SAFETY, fr: FRENCH_SAFETY };

/** The words for a language code such as `de-de`; English where there are none. */
export function safetyWords(language: string): SafetyWords {
  return WORDS[language.slice(0, 2)] ?? ENGLISH_SAFETY;
}
