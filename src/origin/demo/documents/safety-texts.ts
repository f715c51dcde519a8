import type { SignalWord } from '../../../contracts/hazard.ts';
import { ENGLISH_SAFETY } from './safety-texts-en.ts';
import { FRENCH_SAFETY } from './safety-texts-fr.ts';
import { GERMAN_SAFETY } from './safety-texts-de.ts';

/** Chemistry that a safety datasheet speaks of. */
export type Chemistry = 'dispersion' | 'hybrid' | 'foam';

/** `{name}`, `{item}` and `{use}` stand for the product's own; a section may differ by chemistry. */
export type SafetySection = {
  heading: string;
  text: readonly string[];
} & Partial<Record<Exclude<Chemistry, 'dispersion'>, readonly string[]>>;

export interface SafetyWords {
  kind: string;
  version: string;
  mark: string;
  stamp: string;
  note: string;
  page: (page: number, pages: number) => string;
  /** What stands around the hazard statements of section 2. */
  label: Record<SignalWord | 'unclassified' | 'signal' | 'pictograms' | 'diisocyanates', string>;
  /** The sixteen sections of a safety datasheet (Regulation (EC) No 1907/2006, Annex II), in their order. */
  sections: readonly SafetySection[];
}

const WORDS: Readonly<Record<string, SafetyWords>> = { de: GERMAN_SAFETY, en: ENGLISH_SAFETY, fr: FRENCH_SAFETY };

/** The words for a language code such as `de-de`; English where there are none. */
export function safetyWords(language: string): SafetyWords {
  return WORDS[language.slice(0, 2)] ?? ENGLISH_SAFETY;
}
