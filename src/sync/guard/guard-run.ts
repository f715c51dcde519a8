import type { MassChange } from './mass-change.ts';
import { createHash } from 'node:crypto';
import type { Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import type { KnownCount, Removal, StagedChange } from '#snapshot/index.ts';
import { findFieldMassChanges } from './find-field-mass-changes.ts';
import { findLanguageMassChanges } from './find-language-mass-changes.ts';
import { findRemovalMassChanges } from './find-removal-mass-changes.ts';

export interface GuardInput {
  removals: readonly Removal[];
  changes: Iterable<StagedChange>;
  /** Present records before the run. */
  known: readonly KnownCount[];
  limits: Options['sync']['guard'];
  /** What `--accept` carries. */
  accept: string | undefined;
  /** What else the reader should know when the run is refused. */
  notes?: readonly string[];
}

const SHOWN_RECORDS = 5;

/**
 * Refuses a run that would remove, empty or re-price more than a set share of what is known, overall or in a
 * language, unless the reader has accepted exactly this.
 * @returns Whether `accept` was for this.
 * @throws SortimentError CHANGES_REFUSED, saying what would have happened and naming the digest to accept.
 */
export function guardRun({ removals, changes, known, limits, accept, notes = [] }: GuardInput): boolean {
  const massChanges = [
    ...findLanguageMassChanges(removals),
    ...findRemovalMassChanges(removals, known, limits.removed),
    ...findFieldMassChanges(changes, known, limits),
  ];
  if (massChanges.length === 0) return false;
  const digest = digestMassChanges(massChanges);
  if (accept === digest) return true;
  throw new SortimentError(
    'CHANGES_REFUSED',
    [
      'This run would change a large part of the catalogue, so nothing was written:',
      ...massChanges.map(describeMassChange),
      ...notes,
    ].join('\n'),
    {
      hint: `Check the upstream and the assortment. If it is right, sync once with \`--accept ${digest}\`.${mistaken(accept)}`,
    },
  );
}

function mistaken(accept: string | undefined): string {
  return accept === undefined ? '' : ` (\`--accept ${accept}\` was for something else.)`;
}

/** Stands for exactly these changes, so it lets them through once and nothing else. */
function digestMassChanges(massChanges: readonly MassChange[]): string {
  const lines = massChanges.flatMap(({ what, records }) => [what, ...records.toSorted()]);
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

function describeMassChange({ what, records }: MassChange): string {
  const more = records.length > SHOWN_RECORDS ? [`    … and ${records.length - SHOWN_RECORDS} more`] : [];
  return [`  ${what}:`, ...records.slice(0, SHOWN_RECORDS).map((record) => `    ${record}`), ...more].join('\n');
}
