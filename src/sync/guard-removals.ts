import { createHash } from 'node:crypto';
import { SortimentError } from '../contracts/index.ts';
import type { Removal } from '../snapshot/index.ts';

/** However few records are known, this many may go. */
const MIN_REMOVALS = 3;
const MAX_REMOVED_SHARE = 0.1;

/** Our own lists may shrink as they like; what hangs on them is guarded itself. */
const UNGUARDED = new Set<Removal['kind']>(['family', 'assortment', 'site']);

/**
 * Refuses a run that would remove more of a kind than max(3, 10 %) of what is known, unless the reader has accepted
 * exactly this removal.
 * @param known Kind -> present records.
 * @param accept What `--accept` carries.
 * @throws SortimentError REMOVALS_REFUSED, naming the digest to accept.
 */
export function guardRemovals(
  removals: readonly Removal[],
  known: ReadonlyMap<Removal['kind'], number>,
  accept: string | undefined,
): void {
  const byKind = Map.groupBy(
    removals.filter(({ kind }) => !UNGUARDED.has(kind)),
    ({ kind }) => kind,
  );
  const slides = [...byKind].filter(([kind, list]) => list.length > allowance(known.get(kind) ?? 0));
  if (slides.length === 0) return;
  const digest = digestRemovals(removals);
  if (accept === digest) return;
  const lines = slides.map(([kind, list]) => {
    const all = known.get(kind) ?? 0;
    return `  ${list.length} of ${all} ${kind} records (at most ${allowance(all)}), first ${name(list[0])}`;
  });
  throw new SortimentError(
    'REMOVALS_REFUSED',
    `This run would remove a large part of the catalogue, so nothing was written:\n${lines.join('\n')}`,
    { hint: `Check the upstream and the assortment. If it is right, sync once with \`--accept ${digest}\`.` },
  );
}

function allowance(known: number): number {
  return Math.max(MIN_REMOVALS, Math.floor(known * MAX_REMOVED_SHARE));
}

/** Stands for exactly these removals, so it lets them through once and nothing else. */
function digestRemovals(removals: readonly Removal[]): string {
  const lines = removals.map(({ kind, id, language, reason }) => [kind, id, language ?? '', reason].join(' '));
  return createHash('sha256').update(lines.toSorted().join('\n')).digest('hex').slice(0, 16);
}

function name(removal: Removal | undefined): string {
  return removal ? [removal.id, removal.language, `(${removal.reason})`].filter(Boolean).join(' ') : '';
}
