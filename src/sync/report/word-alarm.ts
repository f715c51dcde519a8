import type { Alarm } from './sync-report.ts';

/** An alarm, and what to do about it. */
export function wordAlarm({ url, gtins, before, after, accept, acceptAll }: Alarm): string {
  const owners = gtins.length > 0 ? ` of ${gtins.join(', ')}` : '';
  const bytes = `${before.slice(0, 12)} -> ${after.slice(0, 12)}`;
  const others = acceptAll === undefined ? '' : ` (all that wait: \`--accept ${acceptAll}\`)`;
  const advice =
    accept === undefined ? '' : ` If the new one is right, sync once with \`--accept ${accept}\`${others}.`;
  return `The declaration of performance ${url}${owners} has other bytes at its source (${bytes}). It must stay as it was published, so the published one stays: ask its maker.${advice}`;
}
