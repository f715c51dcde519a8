import type { Alarm } from './sync-report.ts';

/** An alarm as one sentence. */
export function wordAlarm({ url, gtins, before, after }: Alarm): string {
  const owners = gtins.length > 0 ? ` of ${gtins.join(', ')}` : '';
  const bytes = `${before.slice(0, 12)} -> ${after.slice(0, 12)}`;
  return `The declaration of performance ${url}${owners} has other bytes (${bytes}). It must stay as it was published: ask its maker.`;
}
