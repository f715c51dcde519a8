import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { and, asc, eq, inArray, max, sql } from 'drizzle-orm';
import { z } from 'zod';
import { IMPORT_COMMANDS, PRODUCT_FILE_NAME, type ImportOutcome } from '#contracts/import.ts';
import { formatProblems, isMap, SortimentError, type Problem, isGtin13 } from '#contracts/index.ts';
import {
  languageCode,
  languageName,
  type ProductField,
  type ProductRecord,
  PRODUCT_FIELDS,
  getFieldUnit,
  product,
} from '#contracts/product/index.ts';
import { parseProduct } from '#contracts/product/parse-product.ts';
import { getStagingFolder } from '#origin/admin/import/tracked-record.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { digestRecord, upsertProducts } from '#origin/platform/store/upsert-products.ts';
import { retryTransaction, type Transaction } from '#origin/platform/store/query-errors.ts';
import { product as productTable, productLanguage } from '#origin/platform/store/schema.ts';
import { command, formatCount, importStep } from './command.ts';
import { tryParse } from '#contracts/scan-text.ts';

const isIn = (language: string | undefined) =>
  language === undefined ? undefined : eq(productTable.language, language);

const productArgs = z.strictObject({
  gtin: z.string().refine(isGtin13, { error: 'is not a GTIN-13 with a valid check digit' }),
  /** Omitted for all languages of the product. */
  language: languageCode.optional(),
});

export const listProducts = command(
  z.strictObject({ language: languageCode.optional() }),
  async (context, { language }) => {
    const found = await context.store.db
      .select({
        gtin: productTable.gtin,
        language: productTable.language,
        name: sql<string>`${productTable.record} ->> 'name'`,
        modified: productTable.modifiedAt,
      })
      .from(productTable)
      .where(isIn(language))
      .orderBy(asc(productTable.gtin), asc(productTable.language));
    const rows = found.map((row) => ({ ...row, modified: row.modified.toISOString() }));
    return { message: formatCount(rows.length, 'record'), rows };
  },
);

/**
 * Checks that a record can be served. Unknown fields and availability values are problems here, because the origin
 * would publish them. Links may be paths below the public address.
 */
function checkRecord(wire: unknown, publicUrl: string): { record: ProductRecord } | { problems: Problem[] } {
  const reading = parseProduct(withAbsoluteLinks(wire, publicUrl));
  const drift = reading.warnings.map(({ field, problem }) => ({ field, problem: problem.replace(READ_AS, '') }));
  const problems = reading.ok ? drift : [...reading.problems, ...drift];
  return problems.length > 0 ? { problems } : { record: wire as ProductRecord };
}

/** Removes the note about how a reader interprets a value. */
const READ_AS = /, read as .*$/;
const LINK_FIELDS = PRODUCT_FIELDS.filter((field) => product.shape[field].meta()?.['format'] === 'uri');

function withAbsoluteLinks(wire: unknown, publicUrl: string): unknown {
  if (!isMap(wire)) return wire;
  const record: Partial<Record<ProductField, unknown>> = { ...wire };
  for (const field of LINK_FIELDS) {
    const link = record[field];
    if (typeof link === 'string' && /^\/?(media|uploads)\//.test(link)) {
      record[field] = new URL(link.replace(/^\//, ''), `${publicUrl}/`).href;
    }
  }
  return record;
}

/** Saves checked records and announces their products. @returns the outcomes by `keyOf` */
async function saveRecords(
  tx: Transaction,
  records: readonly ProductRecord[],
): Promise<Map<string, 'added' | 'updated' | 'unchanged'>> {
  const unique = new Map(records.map((record) => [keyOf(record), record]));
  const before = await loadDigests(tx, records);
  const changed = await upsertProducts(tx, [...unique.values()]);
  const known = new Set(before.values().map(({ gtin }) => gtin));
  const gtins = [...new Set(changed.map(({ gtin }) => gtin))];
  const actionOf = (gtin: string) => (known.has(gtin) ? 'updated' : 'created');
  await announce(
    tx,
    gtins.map((gtin) => ({ what: 'product', id: gtin, action: actionOf(gtin) })),
  );
  const changedKeys = new Set(changed.map(keyOf));
  const outcomeOf = (key: string) => (!changedKeys.has(key) ? 'unchanged' : before.has(key) ? 'updated' : 'added');
  return new Map([...unique.keys()].map((key) => [key, outcomeOf(key)]));
}

type ProductKey = Pick<ProductRecord, 'gtin' | 'language'>;

const keyOf = ({ gtin, language }: ProductKey): string => `${gtin} ${language}`;

const GTINS_PER_STATEMENT = 1000;

/** Loads the digests of all languages of some products by `keyOf`. */
async function loadDigests(db: Pick<Transaction, 'select'>, products: readonly ProductKey[]) {
  const { gtin, language, digest } = productTable;
  const gtins = [...new Set(products.map((row) => row.gtin))];
  const found = new Map<string, ProductKey & { digest: string }>();
  for (let start = 0; start < gtins.length; start += GTINS_PER_STATEMENT) {
    const isWanted = inArray(gtin, gtins.slice(start, start + GTINS_PER_STATEMENT));
    const rows = await db.select({ gtin, language, digest }).from(productTable).where(isWanted);
    for (const row of rows) found.set(keyOf(row), row);
  }
  return found;
}

/** Imports all records of a file, or none if some are invalid, and lists these. */
export const importProducts = command(z.strictObject({ text: z.string() }), async (context, { text }) => {
  const found = readProductFile(text);
  const listed = await context.store.db.select({ code: productLanguage.code }).from(productLanguage);
  const languages = new Set(listed.map(({ code }) => code));
  const seen = new Map<string, string>();
  const records: ProductRecord[] = [];
  const invalid: string[] = [];
  for (const { position, keys, wire } of found) {
    const checked =
      wire === undefined
        ? { problems: [{ field: '', problem: 'is not a record in JSON' }] }
        : checkRecord(wire, context.publicUrl);
    const problems =
      'problems' in checked ? checked.problems : checkPosition(checked.record, position, keys, languages, seen);
    if (problems.length > 0) invalid.push(`${position}\n${formatProblems(problems)}`);
    else if ('record' in checked) records.push(checked.record);
  }
  if (invalid.length > 0) {
    const total = formatCount(found.length, 'record');
    const message = `${invalid.length} of ${total} can't be imported:\n${invalid.join('\n')}`;
    const hint = 'Nothing was imported. Correct the file, or add a missing language with `language add`.';
    throw new SortimentError('PRODUCTS_INVALID', message, { hint });
  }
  const outcomes = await retryTransaction(context.store.db, (tx) => saveRecords(tx, records));
  const changed = [...outcomes.values()].filter((outcome) => outcome !== 'unchanged').length;
  const message = `${formatCount(records.length, 'record')} read, ${changed} new or changed.`;
  return { message, read: records.length, changed };
});

/** A valid record may still contradict its position in the file. */
function checkPosition(
  { gtin, language }: ProductRecord,
  position: string,
  keys: FileRecord['keys'],
  languages: ReadonlySet<string>,
  seen: Map<string, string>,
): Problem[] {
  const problems: Problem[] = [];
  const report = (field: string, problem: string) => problems.push({ field, problem });
  if (keys && keys.gtin !== gtin) report('gtin', `is ${gtin}, its key says ${keys.gtin}`);
  if (keys && keys.language !== language) report('language', `is ${language}, its key says ${keys.language}`);
  if (!languages.has(language)) report('language', `is ${language}, which is not on the language list`);
  const earlier = seen.get(`${gtin} ${language}`);
  if (earlier !== undefined) report('', `is a duplicate of ${earlier}`);
  seen.set(`${gtin} ${language}`, position);
  return problems;
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
  const whole = tryParse(text);
  if (isMap(whole) && !('gtin' in whole)) return readTree(whole);
  if (whole !== undefined) return [{ position: 'line 1', wire: whole }];
  return text
    .split('\n')
    .map((line, i) => ({ position: `line ${i + 1}`, line: line.trim() }))
    .flatMap(({ position, line }) => (line === '' ? [] : [{ position, wire: tryParse(line) }]));
}

function readTree(tree: Record<string, unknown>): FileRecord[] {
  return Object.entries(tree).flatMap(([gtin, languages]): FileRecord[] => {
    if (!isMap(languages)) return [{ position: gtin, wire: undefined }];
    const records = Object.entries(languages).map(([language, wire]) => ({ keys: { gtin, language }, wire }));
    return records.map((record) => ({ position: keyOf(record.keys), ...record }));
  });
}

/** Returns the records that are new or differ from the stored ones. */
export const checkProducts = importStep(IMPORT_COMMANDS.productCheck, async ({ store }, { records }) => {
  const digests = await loadDigests(store.db, records);
  const different = records
    .filter((row) => digests.get(keyOf(row))?.digest !== digestRecord(row.record as ProductRecord))
    .map(({ gtin, language }) => ({ gtin, language }));
  return { message: `${different.length} of ${records.length} records are new or different.`, different };
});

/** Stores records of another interface. Their files come first, so that no record references a missing file. */
export const saveProducts = importStep(IMPORT_COMMANDS.productPut, async (context, { records }) => {
  const checked = records.map((sent) => ({ ...sent, ...checkRecord(sent.record, context.publicUrl) }));
  const ready = checked.flatMap((row) => ('problems' in row ? [] : [row]));
  for (const file of ready.flatMap(({ files }) => files)) await storeFile(context, file);
  const valid = ready.map(({ record }) => record);
  const saved = await retryTransaction(context.store.db, (tx) => saveRecords(tx, valid));
  const outcomes = checked.map((row) => {
    const { gtin, language } = row;
    const outcome: ImportOutcome['outcome'] = saved.get(keyOf(row)) ?? 'refused';
    const note = 'problems' in row ? { note: `is not valid:\n${formatProblems(row.problems)}` } : {};
    return { gtin, language, outcome, ...note };
  });
  return { message: `${outcomes.length} records were processed.`, outcomes };
});

async function storeFile(context: OriginContext, { staged, path }: { staged: string; path: string }): Promise<void> {
  const isPlain = path.split('/').every((part) => /^\w[\w.-]*$/.test(part));
  if (!isPlain || !PRODUCT_FILE_NAME.test(basename(path)))
    throw new Error(`${path} is not a valid name for a product file.`);
  const bytes = await readFile(join(getStagingFolder(context), staged));
  const { media } = context.files;
  const present = await media.read(path);
  if (!present?.equals(bytes)) await media.put(path, bytes);
}

const FIXED: readonly string[] = ['gtin', 'language'];

const WRITTEN_AS_JSON: readonly ProductField[] = ['folded', 'attributes', 'materials'];

const setArgs = productArgs.extend({
  changes: z.array(z.string()).min(1, { error: 'are missing: write at least one field=value' }),
});

/** Changes fields of a product and checks the result against the contract. */
export const setProduct = command(setArgs, async (context, { gtin, language, changes }) => {
  const parsedChanges = readChanges(changes);
  return retryTransaction(context.store.db, async (tx) => {
    const before = await lockProductRecords(tx, gtin, language);
    const after = before.map((record) => {
      const checked = checkRecord({ ...record, ...parsedChanges }, context.publicUrl);
      if ('record' in checked) return checked.record;
      const message = `${keyOf(record)} would be invalid:\n${formatProblems(checked.problems)}`;
      const hint = 'Nothing was changed. Correct the values and run the command again.';
      throw new SortimentError('PRODUCT_INVALID', message, { hint });
    });
    await saveRecords(tx, after);
    const lines = before.flatMap((record) => describeChanges(record, parsedChanges));
    const changed = lines.length > 0;
    return { message: changed ? lines.join('\n') : 'Nothing changed.', gtin, changed };
  });
});

function describeChanges(record: ProductRecord, changes: Changes): string[] {
  return (Object.keys(changes) as ProductField[])
    .map((field) => [field, JSON.stringify(record[field] ?? null), JSON.stringify(changes[field])] as const)
    .filter(([, before, after]) => before !== after)
    .map(([field, before, after]) => `${keyOf(record)} ${field}: ${before} -> ${after}`);
}

type Changes = Partial<Record<ProductField, unknown>>;

/**
 * Parses changes such as `price=149.90`, `folded=true`, `intro=Text with spaces`, `height=null` to clear a field, and
 * lists in JSON. The contract checks the values later, as part of the record.
 *
 * @throws {SortimentError} CHANGE_INVALID
 */
function readChanges(texts: readonly string[]): Changes {
  const changes: Changes = {};
  for (const text of texts) {
    const at = text.indexOf('=');
    const field = text.slice(0, Math.max(at, 0));
    if (at < 1) throw createChangeError(`"${text}" is not a change.`, 'Write it as field=value, such as price=149.90.');
    if (FIXED.includes(field))
      throw createChangeError(`The ${field} of a record can't be changed.`, 'Import a new record instead.');
    const known = PRODUCT_FIELDS.find((name) => name === field);
    if (!known)
      throw createChangeError(`Products have no field "${field}".`, `The fields are ${PRODUCT_FIELDS.join(', ')}.`);
    changes[known] = readChange(known, text.slice(at + 1));
  }
  return changes;
}

function readChange(field: ProductField, text: string): unknown {
  if (text === 'null') return null;
  if (WRITTEN_AS_JSON.includes(field)) {
    const value = tryParse(text);
    const hint = field === 'folded' ? 'Write true or false.' : 'Write a list of objects.';
    if (value === undefined) throw createChangeError(`The value of ${field} is not JSON: ${text}`, hint);
    return value;
  }
  // Parsed as a number only if no digit is lost, because declared values must not be rounded.
  return getFieldUnit(field).unit !== undefined && String(Number(text)) === text ? Number(text) : text;
}

function createChangeError(message: string, hint: string): SortimentError {
  return new SortimentError('CHANGE_INVALID', message, { hint });
}

/** Removes a product in one or all languages. The interface then responds with 404. */
export const removeProduct = command(productArgs, async (context, { gtin, language }) =>
  retryTransaction(context.store.db, async (tx) => {
    const records = await lockProductRecords(tx, gtin, language);
    const isProduct = eq(productTable.gtin, gtin);
    await tx.delete(productTable).where(and(isProduct, isIn(language)));
    const left = await tx.$count(productTable, isProduct);
    await announce(tx, { what: 'product', id: gtin, action: left > 0 ? 'updated' : 'deleted' });
    return { message: `${formatCount(records.length, 'record')} of ${gtin} removed.`, gtin, removed: records.length };
  }),
);

/**
 * Finds the records of a product in one or all languages, and locks them until the transaction ends.
 *
 * @throws PRODUCT_UNKNOWN
 */
async function lockProductRecords(tx: Transaction, gtin: string, language: string | undefined) {
  const rows = await tx
    .select({ record: productTable.record })
    .from(productTable)
    .where(and(eq(productTable.gtin, gtin), isIn(language)))
    .orderBy(asc(productTable.language))
    .for('update');
  if (rows.length > 0) return rows.map(({ record }) => record);
  const where = language === undefined ? '' : ` in ${language}`;
  throw new SortimentError('PRODUCT_UNKNOWN', `There is no product ${gtin}${where}.`, {
    hint: 'See `product list` for the products, or add new ones with `product import`.',
  });
}

const languageArgs = z.strictObject({ code: languageCode, name: z.string().min(1).optional() });

/** Adds a language at the end of the product interface's list, or renames an existing one. */
export const addLanguage = command(languageArgs, async (context, { code, name = languageName(code) }) => {
  await retryTransaction(context.store.db, async (tx) => {
    const [known] = await tx.select().from(productLanguage).where(eq(productLanguage.code, code));
    if (known?.name === name) return;
    const [last] = await tx.select({ position: max(productLanguage.position) }).from(productLanguage);
    await tx
      .insert(productLanguage)
      .values({ code, name, position: (last?.position ?? -1) + 1 })
      .onConflictDoUpdate({ target: productLanguage.code, set: { name } });
    await announce(tx, { what: 'language', id: code, action: known ? 'updated' : 'created' });
  });
  return { message: `${code} (${name}) is on the language list.`, code, name };
});
