import { z } from 'zod';
import { formatProblems, SortimentError, type Problem, isGtin13 } from '#contracts/index.ts';
import {
  languageCode,
  type ProductField,
  type ProductRecord,
  PRODUCT_FIELDS,
  getFieldUnit,
  product,
  parseProduct,
} from '#contracts/product/index.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { upsertProducts } from '#origin/platform/store/upsert-products.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { command } from './command.ts';
import { lockProductRecords } from './lock-product-records.ts';

/** GTIN argument of a command. */
export const gtinArgument = z.string().refine(isGtin13, { error: 'is not a GTIN-13 with a valid check digit' });

/**
 * Checks that a record can be served. Unknown fields and availability values are problems here, because the origin
 * would publish them. Links may be paths below the public address.
 */
export function checkRecord(wire: unknown, publicUrl: string): { record: ProductRecord } | { problems: Problem[] } {
  const reading = parseProduct(withAbsoluteLinks(wire, publicUrl));
  const drift = reading.warnings.map(({ field, problem }) => ({ field, problem: problem.replace(READ_AS, '') }));
  const problems = reading.ok ? drift : [...reading.problems, ...drift];
  return problems.length > 0 ? { problems } : { record: wire as ProductRecord };
}

/** Removes the note about how a reader interprets a value. */
const READ_AS = /, read as .*$/;
const LINK_FIELDS = PRODUCT_FIELDS.filter((field) => product.shape[field].meta()?.['format'] === 'uri');

function withAbsoluteLinks(wire: unknown, publicUrl: string): unknown {
  if (typeof wire !== 'object' || wire === null || Array.isArray(wire)) return wire;
  const record: Partial<Record<ProductField, unknown>> = { ...wire };
  for (const field of LINK_FIELDS) {
    const link = record[field];
    if (typeof link === 'string' && /^\/?(media|uploads)\//.test(link)) {
      record[field] = new URL(link.replace(/^\//, ''), `${publicUrl}/`).href;
    }
  }
  return record;
}

/** Identifying fields, which can't be changed. */
const FIXED: readonly string[] = ['gtin', 'language'];

const WRITTEN_AS_JSON: readonly ProductField[] = ['folded', 'attributes', 'materials'];

const args = z.strictObject({
  gtin: gtinArgument,
  /** Omitted for all languages of the product. */
  language: languageCode.optional(),
  changes: z.array(z.string()).min(1, { error: 'are missing: write at least one field=value' }),
});

/** Changes fields of a product and checks the result against the contract. */
export const setProduct = command(args, async (context, { gtin, language, changes }) => {
  const parsedChanges = readChanges(changes);
  return retryTransaction(context.store.db, async (tx) => {
    const before = await lockProductRecords(tx, gtin, language);
    const after = before.map((record) => change(record, parsedChanges, context.publicUrl));
    const saved = await upsertProducts(tx, after);
    if (saved.length > 0) await announce(tx, { what: 'product', id: gtin, action: 'updated' });
    const lines = before.flatMap((record) => describe(record, parsedChanges));
    const changed = lines.length > 0;
    return { message: changed ? lines.join('\n') : 'Nothing changed.', gtin, changed };
  });
});

function change(record: ProductRecord, changes: Changes, publicUrl: string): ProductRecord {
  const checked = checkRecord({ ...record, ...changes }, publicUrl);
  if ('record' in checked) return checked.record;
  const { gtin, language } = record;
  throw new SortimentError(
    'PRODUCT_INVALID',
    `${gtin} ${language} would be invalid:\n${formatProblems(checked.problems)}`,
    {
      hint: 'Nothing was changed. Correct the values and run the command again.',
    },
  );
}

function describe(record: ProductRecord, changes: Changes): string[] {
  return (Object.keys(changes) as ProductField[])
    .map((field) => [field, JSON.stringify(record[field] ?? null), JSON.stringify(changes[field])] as const)
    .filter(([, before, after]) => before !== after)
    .map(([field, before, after]) => `${record.gtin} ${record.language} ${field}: ${before} -> ${after}`);
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
    if (at < 1) throw createError(`"${text}" is not a change.`, 'Write it as field=value, such as price=149.90.');
    if (FIXED.includes(field))
      throw createError(`The ${field} of a record can't be changed.`, 'Import a new record instead.');
    if (!isField(field))
      throw createError(`Products have no field "${field}".`, `The fields are ${PRODUCT_FIELDS.join(', ')}.`);
    changes[field] = readChange(field, text.slice(at + 1));
  }
  return changes;
}

function readChange(field: ProductField, text: string): unknown {
  if (text === 'null') return null;
  if (WRITTEN_AS_JSON.includes(field)) return readJson(field, text);
  // Parsed as a number only if no digit is lost, because declared values must not be rounded.
  return getFieldUnit(field).unit !== undefined && String(Number(text)) === text ? Number(text) : text;
}

function readJson(field: ProductField, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw createError(
      `The value of ${field} is not JSON: ${text}`,
      field === 'folded' ? 'Write true or false.' : 'Write a list of objects.',
      cause,
    );
  }
}

function isField(text: string): text is ProductField {
  return (PRODUCT_FIELDS as readonly string[]).includes(text);
}

function createError(message: string, hint: string, cause?: unknown): SortimentError {
  return new SortimentError('CHANGE_INVALID', message, { hint, cause });
}
