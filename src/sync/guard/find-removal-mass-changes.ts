import type { KnownCount, Removal } from '#snapshot/index.ts';
import { allowance } from './allowance.ts';
import type { MassChange } from './mass-change.ts';

/** Our own lists may shrink as they like, since what hangs on them is guarded itself; languages have a rule of their own. */
const UNGUARDED = new Set<Removal['kind']>(['family', 'assortment', 'site', 'language']);

/** Kinds that lose too many records, overall or in a language. */
export function findRemovalMassChanges(
  removals: readonly Removal[],
  known: readonly KnownCount[],
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
  const allowed = allowance(known, share);
  if (removals.length <= allowed) return [];
  const records = removals.map(({ id, language, reason }) => [id, language, `(${reason})`].filter(Boolean).join(' '));
  return [{ what: `${removals.length} of ${known} ${name} would be removed (at most ${allowed})`, records }];
}

function count(known: readonly KnownCount[], kind: Removal['kind'], language?: string): number {
  return known
    .filter((row) => row.kind === kind && (language === undefined || row.language === language))
    .reduce((sum, row) => sum + row.count, 0);
}
