import type { HookOptions } from '#config/hook-options.ts';
import type { Change } from '../report/sync-report.ts';
import { classifyChange } from './classify-change.ts';

export type HookFilter = Pick<HookOptions, 'classes' | 'languages' | 'kinds'>;

/** Whether a hook wants to hear of a change. One without a language of its own is one in every language. */
export function passesFilter(change: Change, { classes, languages, kinds }: HookFilter): boolean {
  if (kinds && !kinds.includes(change.kind)) return false;
  if (languages && change.language !== undefined && !languages.includes(change.language)) return false;
  return !classes || classifyChange(change).some((name) => classes.includes(name));
}

export function hasFilter({ classes, languages, kinds }: HookFilter): boolean {
  return classes !== undefined || languages !== undefined || kinds !== undefined;
}
