import { createHash } from 'node:crypto';
import type { Options } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { PRODUCT_FIELDS, type ProductRecord } from '#contracts/product/index.ts';
import type { RecordCount, Removal, StagedChange } from '#snapshot/index.ts';

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
  /** Further fields of the product interface that the options declare. */
  extraFields?: readonly string[];
  /** Pages that would be hidden. */
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
export function guardRun({
  removals,
  changes,
  known,
  limits,
  extraFields = [],
  hidden = [],
  accept,
  notes = [],
}: GuardInput): boolean {
  const massChanges = [
    ...findLanguageMassChanges(removals),
    ...findRemovalMassChanges(removals, known, limits.removed),
    ...findFieldMassChanges(changes, known, { ...limits, fields: [...PRODUCT_FIELDS, ...extraFields] }),
    ...hidden,
  ];
  if (massChanges.length === 0) return false;
  const digest = digestChanges(massChanges.flatMap(({ what, records }) => [what, ...records.toSorted()]));
  if (accept === digest) return true;
  const mismatch = accept === undefined ? '' : ` (\`--accept ${accept}\` does not match.)`;
  throw new SortimentError(
    'CHANGES_REFUSED',
    [
      'This run would change a large part of the catalogue, so nothing was written:',
      ...massChanges.map(describeMassChange),
      ...notes,
    ].join('\n'),
    {
      hint: `Check the upstream and the assortment. If the change is intended, sync once with \`--accept ${digest}\`.${mismatch}`,
    },
  );
}

/** Identifies exactly these changes, so that nothing else is accepted with them. */
export function digestChanges(lines: readonly string[]): string {
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
  const toRecord = ({ id, language, reason }: Removal) => [id, language, `(${reason})`].filter(Boolean).join(' ');
  const evaluate = (list: readonly Removal[], kind: string, language?: string) => {
    const name = `${kind} records${language === undefined ? '' : ` in ${language}`} would be removed`;
    return massChange(list.map(toRecord), count(known, kind, language), share, name);
  };
  return [...Map.groupBy(guarded, ({ kind }) => kind)].flatMap(([kind, list]) => {
    const byLanguage = Map.groupBy(list, ({ language }) => language);
    return [
      ...evaluate(list, kind),
      ...[...byLanguage].flatMap(([language, part]) => (language === undefined ? [] : evaluate(part, kind, language))),
    ];
  });
}

function count(known: readonly RecordCount[], kind: string, language?: string): number {
  return known
    .filter((row) => row.kind === kind && (language === undefined || row.language === language))
    .reduce((sum, row) => sum + row.count, 0);
}

/** Change of one field of one product. */
interface FieldChange {
  group: string;
  language: string;
  record: string;
}

/**
 * Finds fields or translations that too many products lose, and prices that change too much, overall or in one
 * language.
 */
function findFieldMassChanges(
  changes: Iterable<StagedChange>,
  known: readonly RecordCount[],
  { fields, ...limits }: Options['sync']['guard'] & { fields: readonly string[] },
): MassChange[] {
  const emptied: FieldChange[] = [];
  const repriced: FieldChange[] = [];
  for (const { kind, id, language = '', change, before, after } of changes) {
    if (kind !== 'product' || change !== 'changed') continue;
    for (const field of fields) {
      if (isEmpty(before, field) || !isEmpty(after, field)) continue;
      emptied.push({ group: `lose their ${field}`, language, record: `${id} ${language}: ${show(before, field)}` });
    }
    if (valueOf(before, 'language') === language && valueOf(after, 'language') !== language) {
      const record = `${id} ${language}: in ${show(after, 'language')} now`;
      emptied.push({ group: 'lose their translation', language, record });
    }
    const [old, now] = [priceOf(before), priceOf(after)];
    if (old > 0 && (now === 0 || Math.abs(now - old) / old > limits.priceMove)) {
      repriced.push({
        group: `move their price by more than ${limits.priceMove * 100} %`,
        language,
        record: `${id} ${language}: ${old} -> ${now}`,
      });
    }
  }
  const evaluate = (changes: readonly FieldChange[], share: number) =>
    [...Map.groupBy(changes, ({ group }) => group)].flatMap(([group, list]) => {
      const check = (part: readonly FieldChange[], language?: string) => {
        const records = part.map(({ record }) => record);
        const where = language === undefined ? '' : ` in ${language}`;
        return massChange(records, count(known, 'product', language), share, `products${where} would ${group}`);
      };
      const overall = check(list);
      if (overall.length > 0) return overall;
      return [...Map.groupBy(list, ({ language }) => language)].flatMap(([language, part]) => check(part, language));
    });
  return [...evaluate(emptied, limits.emptied), ...evaluate(repriced, limits.repriced)];
}

/**
 * Creates the change if more than a share of the known records is affected.
 * @param name Continues the sentence "31 of 120 …".
 */
export function massChange(records: string[], known: number, share: number, name: string): MassChange[] {
  const allowed = allowedCount(known, share);
  if (records.length <= allowed) return [];
  return [{ what: `${records.length} of ${known} ${name} (at most ${allowed})`, records }];
}

function valueOf(record: unknown, field: string): unknown {
  const known: Record<string, unknown> & Pick<ProductRecord, 'extra'> = Object(record);
  return known[field] ?? known.extra?.[field];
}

function isEmpty(record: unknown, field: string): boolean {
  const value = valueOf(record, field);
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Parses a price that was sent as a number or as text; NaN if there is none. */
function priceOf(record: unknown): number {
  const price = valueOf(record, 'price');
  return typeof price === 'number' || (typeof price === 'string' && price !== '') ? Number(price) : Number.NaN;
}

function show(record: unknown, field: string): string {
  const text = JSON.stringify(valueOf(record, field)) ?? '';
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** Number of records that may always change. */
const ALWAYS = 3;

/** Returns how many known records may change in one way. No limit if the share is 1. */
export function allowedCount(known: number, share: number): number {
  return share >= 1 ? Number.POSITIVE_INFINITY : Math.max(ALWAYS, Math.floor(known * share));
}

/** A change of many records at once, which is probably unintended. */
export interface MassChange {
  /** `31 of 120 products in de-de would be removed (at most 12)`. */
  what: string;
  /** All affected records, each with its change. Messages show the first ones. */
  records: string[];
}
