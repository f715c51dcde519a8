import type { Advice } from './advice/texts.ts';
import type { CheckId } from './types.ts';

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

/** Returns the score of the first band whose minimum is reached. Bands are sorted from highest to lowest. */
export function scoreByBand(found: number, bands: readonly (readonly [least: number, score: number])[]): number {
  return bands.find(([least]) => found >= least)?.[1] ?? 0;
}
