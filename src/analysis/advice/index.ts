import type { Finding } from '../finding.ts';
import type { AdviceLanguage } from '../types.ts';
import { ENGLISH_ADVICE, FRENCH_ADVICE, GERMAN_ADVICE, type Advice } from './texts.ts';

const ADVICE: Readonly<Record<AdviceLanguage, Advice>> = {
  de: GERMAN_ADVICE,
  en: ENGLISH_ADVICE,
  fr: FRENCH_ADVICE,
};

const NUMBERS: Readonly<Record<AdviceLanguage, Intl.NumberFormat>> = {
  de: new Intl.NumberFormat('de'),
  en: new Intl.NumberFormat('en'),
  fr: new Intl.NumberFormat('fr'),
};

/** Formats the advice for a finding in the editor's language. */
export function formatAdvice({ id, outcome, values }: Finding, language: AdviceLanguage): string {
  const texts: Readonly<Record<string, string>> = ADVICE[language][id];
  return (texts[outcome] ?? '').replaceAll(/\{(\w+)\}/g, (gap, name: string) => {
    const value = values[name] ?? gap;
    return typeof value === 'number' ? NUMBERS[language].format(value) : value;
  });
}
