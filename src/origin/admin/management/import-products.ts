import { inArray } from 'drizzle-orm';
import { z } from 'zod';
import { formatProblems, SortimentError, type Problem } from '#contracts/index.ts';
import type { ProductRecord } from '#contracts/product/index.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { upsertProducts } from '#origin/platform/store/upsert-products.ts';
import { retryTransaction, type Transaction } from '#origin/platform/store/query-errors.ts';
import { product, productLanguage } from '#origin/platform/store/schema.ts';
import { checkRecord } from './set-product.ts';
import { command, formatCount } from './command.ts';

const GTINS_PER_STATEMENT = 1000;

/** Imports all records of a file, or none if some are invalid, and lists these. */
export const importProducts = command(z.strictObject({ text: z.string() }), async (context, { text }) => {
  const found = readProductFile(text);
  const listed = await context.store.db.select({ code: productLanguage.code }).from(productLanguage);
  const languages = new Set(listed.map(({ code }) => code));
  const seen = new Map<string, string>();
  const records: ProductRecord[] = [];
  const invalid: string[] = [];
  for (const { position, keys, wire } of found) {
    const checked = check({ position, wire, ...(keys && { keys }) }, context.publicUrl);
    const problems =
      'problems' in checked ? checked.problems : checkPosition(checked.record, position, keys, languages, seen);
    if (problems.length > 0) invalid.push(`${position}\n${formatProblems(problems)}`);
    else if ('record' in checked) records.push(checked.record);
  }
  if (invalid.length > 0) throw createError(invalid, found.length);
  const changed = await retryTransaction(context.store.db, (tx) => saveRecords(tx, records));
  const message = `${formatCount(records.length, 'record')} read, ${changed.length} new or changed.`;
  return { message, read: records.length, changed: changed.length };
});

/** Stores records and announces all changes at once. */
async function saveRecords(tx: Transaction, records: readonly ProductRecord[]): ReturnType<typeof upsertProducts> {
  const gtins = [...new Set(records.map(({ gtin }) => gtin))];
  const known = new Set<string>();
  for (let start = 0; start < gtins.length; start += GTINS_PER_STATEMENT) {
    const batch = gtins.slice(start, start + GTINS_PER_STATEMENT);
    const rows = await tx.selectDistinct({ gtin: product.gtin }).from(product).where(inArray(product.gtin, batch));
    for (const { gtin } of rows) known.add(gtin);
  }
  const changed = await upsertProducts(tx, records);
  const events = [...new Set(changed.map(({ gtin }) => gtin))].map(
    (gtin) => ({ what: 'product', id: gtin, action: known.has(gtin) ? 'updated' : 'created' }) as const,
  );
  await announce(tx, events);
  return changed;
}

function check({ wire }: FileRecord, publicUrl: string): ReturnType<typeof checkRecord> {
  if (wire === undefined) return { problems: [{ field: '', problem: 'is not a record in JSON' }] };
  return checkRecord(wire, publicUrl);
}

/** A valid record may still contradict its position in the file. */
function checkPosition(
  { gtin, language }: ProductRecord,
  position: string,
  keys: FileRecord['keys'],
  languages: ReadonlySet<string>,
  seen: Map<string, string>,
): Problem[] {
  const problems: Problem[] = [];
  if (keys && keys.gtin !== gtin) problems.push({ field: 'gtin', problem: `is ${gtin}, its key says ${keys.gtin}` });
  if (keys && keys.language !== language) {
    problems.push({ field: 'language', problem: `is ${language}, its key says ${keys.language}` });
  }
  if (!languages.has(language)) {
    problems.push({ field: 'language', problem: `is ${language}, which is not on the language list` });
  }
  const earlier = seen.get(`${gtin} ${language}`);
  if (earlier !== undefined) problems.push({ field: '', problem: `is a duplicate of ${earlier}` });
  seen.set(`${gtin} ${language}`, position);
  return problems;
}

function createError(invalid: readonly string[], total: number): SortimentError {
  const message = `${invalid.length} of ${formatCount(total, 'record')} can't be imported:\n${invalid.join('\n')}`;
  return new SortimentError('PRODUCTS_INVALID', message, {
    hint: 'Nothing was imported. Correct the file, or add a missing language with `language add`.',
  });
}

interface FileRecord {
  /** Position for messages: `line 3`, or `9524010000016 de-de`. */
  position: string;
  /** Keys of the position in the file; the record's own keys must match. */
  keys?: { gtin: string; language: string };
  wire: unknown;
}

/** Parses the records of a file: `{gtin: {language: record}}` in JSON, or one record per line (NDJSON). */
function readProductFile(text: string): FileRecord[] {
  const whole = parse(text);
  if (isObject(whole) && !('gtin' in whole)) return readTree(whole);
  if (whole !== undefined) return [{ position: 'line 1', wire: whole }];
  return text
    .split('\n')
    .map((line, i) => ({ position: `line ${i + 1}`, line: line.trim() }))
    .filter(({ line }) => line !== '')
    .map(({ position, line }) => ({ position, wire: parse(line) }));
}

function readTree(tree: Record<string, unknown>): FileRecord[] {
  return Object.entries(tree).flatMap(([gtin, languages]): FileRecord[] => {
    if (!isObject(languages)) return [{ position: gtin, wire: undefined }];
    return Object.entries(languages).map(([language, wire]) => ({
      position: `${gtin} ${language}`,
      keys: { gtin, language },
      wire,
    }));
  });
}

/** Parses JSON; undefined if it is invalid. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
