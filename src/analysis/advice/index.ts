import type { AdviceLanguage, CheckId } from '../types.ts';
import english from './english.json' with { type: 'json' };
import french from './french.json' with { type: 'json' };
import german from './german.json' with { type: 'json' };

type AllTexts = typeof english & typeof french & typeof german;

/** Advice by check and outcome. Placeholders in braces are filled with the measured and recommended values. */
type Advice = { readonly [Id in CheckId]: Readonly<Record<keyof AllTexts[Id], string>> };

export const ADVICE: Readonly<Record<AdviceLanguage, Advice>> = { de: german, en: english, fr: french };

/** Result of a check: the advice to show and the values for its placeholders. */
export interface Finding {
  id: CheckId;
  /** Key of the advice of this check. */
  outcome: string;
  score: number;
  values: Readonly<Record<string, number | string>>;
}

/** Creates a finding. The types guarantee that advice for the outcome exists. */
export function createFinding<Id extends CheckId>(
  id: Id,
  outcome: keyof Advice[Id] & string,
  score: number,
  values: Finding['values'] = {},
): Finding {
  return { id, outcome, score, values };
}

/** Formats the advice for a finding in the editor's language. */
export function formatAdvice({ id, outcome, values }: Finding, language: AdviceLanguage): string {
  const texts: Readonly<Record<string, string>> = ADVICE[language][id];
  return (texts[outcome] ?? '').replaceAll(/\{(\w+)\}/g, (gap, name: string) => {
    const value = values[name] ?? gap;
    return typeof value === 'number' ? value.toLocaleString(language) : value;
  });
}

/** Returns the score of the first band whose minimum is reached. Bands are sorted from highest to lowest. */
export function scoreByBand(found: number, bands: readonly (readonly [least: number, score: number])[]): number {
  return bands.find(([least]) => found >= least)?.[1] ?? 0;
}
