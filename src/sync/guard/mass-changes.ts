import type { Options } from '#config/index.ts';
import { PRODUCT_FIELDS, type ProductField } from '#contracts/product/index.ts';
import type { RecordCount, StagedChange } from '#snapshot/index.ts';

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
export function findFieldMassChanges(
  changes: Iterable<StagedChange>,
  known: readonly RecordCount[],
  limits: Options['sync']['guard'],
): MassChange[] {
  const emptied: FieldChange[] = [];
  const repriced: FieldChange[] = [];
  for (const { kind, id, language = '', change, before, after } of changes) {
    if (kind !== 'product' || change !== 'changed') continue;
    for (const field of PRODUCT_FIELDS) {
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
  const products = known.filter(({ kind }) => kind === 'product');
  return [...evaluate(emptied, products, limits.emptied), ...evaluate(repriced, products, limits.repriced)];
}

function evaluate(changes: readonly FieldChange[], products: readonly RecordCount[], share: number): MassChange[] {
  const total = products.reduce((sum, { count }) => sum + count, 0);
  return [...Map.groupBy(changes, ({ group }) => group)].flatMap(([group, list]) => {
    const overall = massChange(list, total, share, `products would ${group}`);
    if (overall.length > 0) return overall;
    return [...Map.groupBy(list, ({ language }) => language)].flatMap(([language, changesInLanguage]) => {
      const count = products.find((row) => row.language === language)?.count ?? 0;
      return massChange(changesInLanguage, count, share, `products in ${language} would ${group}`);
    });
  });
}

function massChange(changes: readonly FieldChange[], known: number, share: number, name: string): MassChange[] {
  const allowed = allowedCount(known, share);
  if (changes.length <= allowed) return [];
  const what = `${changes.length} of ${known} ${name} (at most ${allowed})`;
  return [{ what, records: changes.map(({ record }) => record) }];
}

function valueOf(record: unknown, field: ProductField): unknown {
  return typeof record === 'object' && record !== null ? (record as Record<string, unknown>)[field] : undefined;
}

function isEmpty(record: unknown, field: ProductField): boolean {
  const value = valueOf(record, field);
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** Parses a price that was sent as a number or as text; NaN if there is none. */
function priceOf(record: unknown): number {
  const price = valueOf(record, 'price');
  return typeof price === 'number' || (typeof price === 'string' && price !== '') ? Number(price) : Number.NaN;
}

function show(record: unknown, field: ProductField): string {
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
