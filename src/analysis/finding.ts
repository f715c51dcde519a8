import type { Advice } from './advice/english.ts';
import type { CheckId } from './types.ts';

/** What a check has found: which advice fits, and what stands in its gaps. */
export interface Finding {
  id: CheckId;
  /** A key of the advice of this check. */
  outcome: string;
  score: number;
  values: Readonly<Record<string, number | string>>;
}

/** Makes a finding; the compiler sees to it that there is advice for it. */
export function finding<Id extends CheckId>(
  id: Id,
  outcome: keyof Advice[Id] & string,
  score: number,
  values: Finding['values'] = {},
): Finding {
  return { id, outcome, score, values };
}

/** The score of the first band whose least value is reached; bands from the highest down. */
export function scoreOf(found: number, bands: readonly (readonly [least: number, score: number])[]): number {
  return bands.find(([least]) => found >= least)?.[1] ?? 0;
}
