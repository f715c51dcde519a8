import { z } from 'zod';
import { cleanTexts } from '../clean-texts.ts';
import { readValue, type Problem } from '../read-value.ts';
import { withoutUserInfos } from '../user-info.ts';
import { availability } from './availability.ts';
import { PRODUCT_FIELDS, product, unitOf, type Product, type ProductRecord } from './product.ts';

export type ProductReading =
  | {
      ok: true;
      product: Product;
      /** The record as it came, but for what was read tolerantly: it parses again to the same product. */
      record: ProductRecord;
      warnings: Problem[];
    }
  | { ok: false; problems: Problem[]; warnings: Problem[] };

/**
 * Reads a record of the product interface. Problems are what makes the record unusable; warnings are drift that
 * it survives: an unknown availability (read as `unknown`), a field that the contract doesn't know, characters that no
 * text has.
 *
 * @param asked What was requested. A record with another GTIN is a problem; one in another language is a
 *   fallback and stays readable: compare `product.language`.
 */
export function readProduct(wire: unknown, asked?: { gtin: string }): ProductReading {
  const warnings: Problem[] = [];
  return readRecord(tolerate(wire, warnings), asked, warnings);
}

/**
 * Reads a record as `readProduct` does, but keeps what can be kept of it: a field that may be absent is left out when
 * its value is invalid, and so is an entry of a list; a missing availability is `unknown`; a relative link is resolved.
 * Each of these is a warning. Fields that must be there (by the contract: those that can't be left out) still make the
 * record unusable.
 *
 * @param asked.base Address of the record, which relative links are relative to.
 */
export function readProductLeniently(
  wire: unknown,
  asked: { gtin: string; base?: string | undefined },
): ProductReading {
  const warnings: Problem[] = [];
  let record = resolveLinks(fillAvailability(tolerate(wire, warnings), warnings), asked.base, warnings);
  for (;;) {
    const reading = readRecord(record, asked, warnings);
    if (reading.ok || !reading.problems.every(isDroppable)) return reading;
    warnings.push(...reading.problems.map(wordDropped));
    record = dropFields(record, reading.problems);
  }
}

/** Made when the first record is read: it takes a while, and most programs that know the contract read none. */
let compiled: typeof product | undefined;

function readRecord(record: unknown, asked: { gtin: string } | undefined, warnings: Problem[]): ProductReading {
  compiled ??= z.compile(product);
  const reading = readValue(compiled, record);
  if (!reading.ok) return { ...reading, warnings };
  const absurd = findAbsurd(reading.value);
  if (absurd.length > 0) return { ok: false, problems: absurd, warnings };
  if (asked && reading.value.gtin !== asked.gtin) {
    const problem = `is ${reading.value.gtin}, but ${asked.gtin} was asked for`;
    return { ok: false, problems: [{ field: 'gtin', problem }], warnings };
  }
  return { ok: true, product: reading.value, record: record as ProductRecord, warnings };
}

/** The field of the contract that a problem is in, and the entry where the field is a list. */
function placeOf({ field }: Problem): { name: string; index: number | undefined } {
  const [, name = '', index] = /^(\w+)(?:\[(\d+)\])?/.exec(field) ?? [];
  return { name, index: index === undefined ? undefined : Number(index) };
}

function isDroppable(problem: Problem): boolean {
  const name = PRODUCT_FIELDS.find((field) => field === placeOf(problem).name);
  return name !== undefined && product.shape[name].safeParse(undefined).success;
}

function wordDropped({ field, problem }: Problem): Problem {
  const what = placeOf({ field, problem }).index === undefined ? 'the field' : 'this entry';
  return { field, problem: `${problem}, so ${what} is left out`, advice: CORRECT_IT };
}

const CORRECT_IT =
  "Have it corrected at the product interface. To refuse such records instead, set `sync.invalidFields: 'strict'`.";

/** The record without these fields and entries. */
function dropFields(record: unknown, problems: readonly Problem[]): unknown {
  if (!isMap(record)) return record;
  const dropped = Map.groupBy(problems.map(placeOf), ({ name }) => name);
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const places = dropped.get(name);
      if (!places) return [[name, value]];
      if (!Array.isArray(value) || places.some(({ index }) => index === undefined)) return [];
      return [[name, value.filter((_, i) => !places.some(({ index }) => index === i))]];
    }),
  );
}

function fillAvailability(record: unknown, warnings: Problem[]): unknown {
  if (!isMap(record) || record['availability'] !== undefined) return record;
  warnings.push({ field: 'availability', problem: 'is missing; read as "unknown"', advice: CORRECT_IT });
  return { ...record, availability: 'unknown' };
}

/** A path or a file name, rather than another scheme, a host without one, or a sentence. */
const RELATIVE = /^(?!www\.)(?:\/|[^\s:/?#]+\/|\.{1,2}\/|[^\s:/?#]+\.[a-z]{2,5}(?:[?#]|$))\S*$/i;

function resolveLinks(record: unknown, base: string | undefined, warnings: Problem[]): unknown {
  if (base === undefined || !isMap(record)) return record;
  const isRelative = (field: string, value: unknown): value is string =>
    LINK_FIELDS.has(field) && typeof value === 'string' && RELATIVE.test(value) && URL.canParse(value, base);
  if (!LINK_FIELDS.values().some((field) => isRelative(field, record[field]))) return record;
  return Object.fromEntries(
    Object.entries(record).map(([field, value]) => {
      if (!isRelative(field, value)) return [field, value];
      warnings.push({
        field,
        problem: 'is a relative address, read as one on the server of the product interface',
        advice: 'Have the product interface send full addresses that start with https://.',
      });
      return [field, new URL(value, base).href];
    }),
  );
}

function dropUserInfo(wire: Record<string, unknown>, warnings: Problem[]): Record<string, unknown> {
  const without = withoutUserInfos(wire);
  for (const field of Object.keys(wire)) {
    if (without[field] === wire[field]) continue;
    const problem = 'has an address with a user name or a password, which are left out';
    const advice = 'Have the address corrected at the product interface, and change the password.';
    warnings.push({ field, problem, advice });
  }
  return without;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LINK_FIELDS: ReadonlySet<string> = new Set(
  PRODUCT_FIELDS.filter((field) => product.shape[field].meta()?.['format'] === 'uri'),
);

const QUANTITY_FIELDS = PRODUCT_FIELDS.filter((field) => unitOf(field).unit !== undefined);

/** What is of the right form, and can't be shown to anybody. */
function findAbsurd(read: Product): Problem[] {
  const negative = QUANTITY_FIELDS.filter((field) => {
    const value = read[field];
    return typeof value === 'object' && 'value' in value && value.value < 0;
  });
  return [
    ...(read.name.trim() === '' ? [{ field: 'name', problem: 'is empty' }] : []),
    ...negative.map((field) => ({ field, problem: 'is less than zero' })),
  ];
}

function tolerate(sent: unknown, warnings: Problem[]): unknown {
  if (!isMap(sent)) return sent;
  const cleaned = cleanTexts(sent);
  for (const field of Object.keys(sent)) {
    if (!Object.hasOwn(product.shape, field)) {
      const advice = 'Nothing needs to be done: the site does not show it.';
      warnings.push({ field, problem: 'is not a field of the interface', advice });
    } else if (cleaned[field] !== sent[field]) {
      const problem = 'has control characters or halves of a character, which are left out';
      warnings.push({ field, problem, advice: 'Have the text corrected at the product interface.' });
    }
  }
  const wire = dropUserInfo(cleaned, warnings);
  if (!('availability' in wire) || availability.safeParse(wire['availability']).success) return wire;
  warnings.push({
    field: 'availability',
    problem: `has the unknown value ${JSON.stringify(wire['availability'])}, read as unknown`,
    advice: 'Have it corrected at the product interface; if the interface has got a new value, update Sortiment.',
  });
  return { ...wire, availability: 'unknown' };
}
