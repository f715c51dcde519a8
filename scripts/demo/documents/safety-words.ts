import type { SignalWord } from '#contracts/hazard.ts';

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

/** `{name}`, `{item}` and `{use}` stand for the product's own; a section may differ by chemistry. */
export type SafetySection = {
  heading: string;
  text: readonly string[];
} & Partial<Record<Exclude<Chemistry, 'dispersion'>, readonly string[]>>;

/** Chemistry that a safety datasheet speaks of. */
export type Chemistry = 'dispersion' | 'hybrid' | 'foam';
