import { createHash } from 'node:crypto';
import type { Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import type { RecordCount, Removal, StagedChange } from '#snapshot/index.ts';
import { allowedCount, findFieldMassChanges, type MassChange } from './mass-changes.ts';

/**
 * Kinds that are not guarded here. Lists of this project only affect records that are guarded, and languages have a
 * separate rule.
 */
const UNGUARDED = new Set<Removal['kind']>(['family', 'assortment', 'site', 'language']);

export interface GuardInput {
  removals: readonly Removal[];
  changes: Iterable<StagedChange>;
  /** Number of present records before the run. */
  known: readonly RecordCount[];
  limits: Options['sync']['guard'];
  /**
   * Pages that would be hidden.
   * @default none
   */
  hidden?: readonly MassChange[];
  /** Digest from `--accept`. */
  accept: string | undefined;
  /** Further problems to report if the run is rejected. */
  notes?: readonly string[];
}

const SHOWN_RECORDS = 5;

/**
 * Rejects a run that would remove, empty, re-price or hide more than a configured share of the known records. Shares
 * apply overall and per language. A run passes if exactly this change was accepted.
 * @returns True if `accept` matched.
 * @throws SortimentError CHANGES_REFUSED with the changes and the digest that accepts them.
 */
export function guardRun({ removals, changes, known, limits, hidden = [], accept, notes = [] }: GuardInput): boolean {
  const massChanges = [
    ...findLanguageMassChanges(removals),
    ...findRemovalMassChanges(removals, known, limits.removed),
    ...findFieldMassChanges(changes, known, limits),
    ...hidden,
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
      hint: `Check the upstream and the assortment. If the change is intended, sync once with \`--accept ${digest}\`.${describeMismatch(accept)}`,
    },
  );
}

function describeMismatch(accept: string | undefined): string {
  return accept === undefined ? '' : ` (\`--accept ${accept}\` does not match.)`;
}

/** Identifies exactly these changes, so that nothing else is accepted with them. */
function digestMassChanges(massChanges: readonly MassChange[]): string {
  const lines = massChanges.flatMap(({ what, records }) => [what, ...records.toSorted()]);
  return createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16);
}

function describeMassChange({ what, records }: MassChange): string {
  const more = records.length > SHOWN_RECORDS ? [`    … and ${records.length - SHOWN_RECORDS} more`] : [];
  return [`  ${what}:`, ...records.slice(0, SHOWN_RECORDS).map((record) => `    ${record}`), ...more].join('\n');
}

/** Finds languages that the interface no longer lists. Each of them would remove a whole language of the site. */
function findLanguageMassChanges(removals: readonly Removal[]): MassChange[] {
  const gone = removals.filter(({ kind }) => kind === 'language').map(({ id }) => id);
  if (gone.length === 0) return [];
  return [{ what: `The list of languages has shrunk by ${gone.length}`, records: gone }];
}

/** Finds kinds that lose too many records, overall or in a language. */
function findRemovalMassChanges(
  removals: readonly Removal[],
  known: readonly RecordCount[],
  share: number,
): MassChange[] {
  const guarded = removals.filter(({ kind }) => !UNGUARDED.has(kind));
  const byKind = [...Map.groupBy(guarded, ({ kind }) => kind)].flatMap(([kind, list]) =>
    evaluate(list, count(known, kind), share, `${kind} records`),
  );
  const byLanguage = [...Map.groupBy(guarded, ({ kind, language }) => `${kind} ${language ?? ''}`)].flatMap(
    ([, list]) => {
      const { kind, language } = list[0] ?? {};
      if (!kind || !language) return [];
      return evaluate(list, count(known, kind, language), share, `${kind} records in ${language}`);
    },
  );
  return [...byKind, ...byLanguage];
}

function evaluate(removals: readonly Removal[], known: number, share: number, name: string): MassChange[] {
  const allowed = allowedCount(known, share);
  if (removals.length <= allowed) return [];
  const records = removals.map(({ id, language, reason }) => [id, language, `(${reason})`].filter(Boolean).join(' '));
  return [{ what: `${removals.length} of ${known} ${name} would be removed (at most ${allowed})`, records }];
}

function count(known: readonly RecordCount[], kind: Removal['kind'], language?: string): number {
  return known
    .filter((row) => row.kind === kind && (language === undefined || row.language === language))
    .reduce((sum, row) => sum + row.count, 0);
}
