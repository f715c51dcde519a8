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
      warnings: ProductWarning[];
    }
  | { ok: false; problems: Problem[]; warnings: ProductWarning[] };

export interface ProductWarning extends Problem {
  /** The earlier value that stands in for an invalid one, and when it was last read, ISO. */
  lastGood?: { value: unknown; date: string };
}

/** The record as it was read before. */
export interface LastGoodRecord {
  record: ProductRecord;
  /** When a field was last read with a valid value, ISO. */
  dateOf(field: string): string;
}

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
 * Reads a record as `readProduct` does, but uses what is usable of it: an invalid value in a field that may be absent,
 * or an invalid entry of a list, is replaced by its last good one, or left out if there is none; a missing availability
 * is `unknown`; a relative link is resolved. Each of these is a warning. Fields that must be there (by the contract:
 * those that can't be left out) still make the record unusable.
 *
 * @param asked.base Address of the record, which relative links are relative to.
 * @param asked.lastGood Only called if something is invalid. @default values are left out
 */
export function readProductLeniently(
  wire: unknown,
  asked: { gtin: string; base?: string | undefined; lastGood?: () => LastGoodRecord | undefined },
): ProductReading {
  const warnings: ProductWarning[] = [];
  let record = resolveLinks(fillAvailability(tolerate(wire, warnings), warnings), asked.base, warnings);
  const earlier: Record<string, unknown> = {};
  let lastGood: LastGoodRecord | undefined;
  for (let round = 0; ; round += 1) {
    const reading = readRecord(record, asked, warnings);
    if (reading.ok || !isMap(record) || !reading.problems.every(isDroppable)) return reading;
    if (round === 0) {
      lastGood = ofSameLanguage(asked.lastGood?.(), record);
      Object.assign(earlier, lastGood?.record);
    }
    const dateOf = (field: string) => lastGood?.dateOf(field) ?? '';
    const repaired = replaceFields(record, reading.problems, { earlier, dateOf });
    warnings.push(...repaired.warnings);
    record = repaired.record;
    // An earlier version of the contract may have accepted what is invalid now: no field is replaced twice.
    for (const problem of reading.problems) delete earlier[placeOf(problem).name];
  }
}

/** Texts of another language must not get into a record. */
function ofSameLanguage(
  lastGood: LastGoodRecord | undefined,
  { language }: Record<string, unknown>,
): LastGoodRecord | undefined {
  return lastGood?.record.language === language ? lastGood : undefined;
}

/** Made when the first record is read: it takes a while, and most programs that know the contract read none. */
let compiled: typeof product | undefined;

function readRecord(record: unknown, asked: { gtin: string } | undefined, warnings: ProductWarning[]): ProductReading {
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

const CORRECT_IT =
  "Have it corrected at the product interface. To refuse such records instead, set `sync.invalidFields: 'strict'`.";

/** The record with the last good values of these fields and entries, and without those that have none. */
function replaceFields(
  record: Record<string, unknown>,
  problems: readonly Problem[],
  { earlier, dateOf }: { earlier: Readonly<Record<string, unknown>>; dateOf: (field: string) => string },
): { record: Record<string, unknown>; warnings: ProductWarning[] } {
  const warnings: ProductWarning[] = [];
  const found = Map.groupBy(problems, (problem) => placeOf(problem).name);
  const fields = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const own = found.get(name);
    if (!own) return [[name, value]];
    const replacement = (problem: Problem, lastGood: unknown, what: string): unknown[] => {
      const stays = !isEmpty(lastGood);
      warnings.push({
        field: problem.field,
        problem: `${problem.problem}, so ${stays ? 'its last good value stays' : `${what} is left out`}`,
        advice: CORRECT_IT,
        ...(stays && { lastGood: { value: lastGood, date: dateOf(name) } }),
      });
      return stays ? [lastGood] : [];
    };
    const ofField = own.find((problem) => placeOf(problem).index === undefined);
    if (ofField) return replacement(ofField, earlier[name], 'the field').map((lastGood) => [name, lastGood]);
    const entries = Array.isArray(value) ? value : [];
    return [
      [
        name,
        entries.flatMap((entry: unknown, i) => {
          const problem = own.find((one) => placeOf(one).index === i);
          return problem ? replacement(problem, earlierEntry(entry, earlier[name]), 'this entry') : [entry];
        }),
      ],
    ];
  });
  return { record: Object.fromEntries(fields), warnings };
}

/** Finds the entry of an earlier list that is about the same, by what a valid entry has beside its value. */
function earlierEntry(entry: unknown, list: unknown): unknown {
  if (!isMap(entry) || !Array.isArray(list)) return undefined;
  const { name, norm } = entry;
  const found = list.filter(
    (one: unknown) => isMap(one) && one['name'] === name && (typeof norm !== 'string' || (one['norm'] ?? '') === norm),
  );
  return found.length === 1 ? found[0] : undefined;
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
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
