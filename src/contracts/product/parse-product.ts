import { z } from 'zod';
import { cleanTexts } from '../scan-text.ts';
import { isMap, parseValue, type Problem } from '../parse-value.ts';
import { withoutUserInfos } from '../user-info.ts';
import { availability, PRODUCT_FIELDS, product, getFieldUnit, type Product, type ProductRecord } from './index.ts';

export type ProductParseResult =
  | {
      ok: true;
      product: Product;
      /** The received record after tolerant parsing; parsing it again yields the same product. */
      record: ProductRecord;
      warnings: ProductWarning[];
    }
  | { ok: false; problems: Problem[]; warnings: ProductWarning[] };

export interface ProductWarning extends Problem {
  /** Last good value that replaces an invalid one, and the date when it was read, ISO. */
  lastGood?: { value: unknown; date: string };
}

/** The last good version of a record. */
export interface LastGoodRecord {
  record: ProductRecord;
  /** Returns when a field last had a valid value, ISO. */
  dateOf(field: string): string;
}

/** Problem of a field that neither the interface's document nor the options of the site have. */
export const UNKNOWN_FIELD = 'is not a field of the interface';

/** Maximum length of the JSON of all such fields of a record. */
const MAX_EXTRA_CHARACTERS = 32_768;

/**
 * Parses a record of the product interface. Problems make the record unusable. Warnings report tolerated deviations:
 * unknown availability (parsed as `unknown`), unknown fields, and control characters.
 *
 * @param request The requested GTIN. Another GTIN is a problem. Another language is a fallback, which the caller
 *   detects by `product.language`.
 */
export function parseProduct(
  wire: unknown,
  request?: { gtin: string; fields?: readonly string[] | undefined },
): ProductParseResult {
  const warnings: Problem[] = [];
  return readRecord(normalizeRecord(wire, warnings, request?.fields), request, warnings);
}

/**
 * Parses a record like `readProduct`, but preserves its usable parts, with a warning for each repair. An invalid value
 * of an optional field, or an invalid list entry, is replaced by its last good value or omitted. A missing availability
 * becomes `unknown`, and relative links are resolved. Invalid values of required fields still make the record unusable.
 *
 * @param request.base URL of the record, the base of relative links.
 * @param request.fields Further fields that the options declare. @default none
 * @param request.lastGood Only called if a value is invalid. @default invalid values are omitted
 */
export function parseProductLeniently(
  wire: unknown,
  request: {
    gtin: string;
    base?: string | undefined;
    lastGood?: () => LastGoodRecord | undefined;
    fields?: readonly string[] | undefined;
  },
): ProductParseResult {
  const warnings: ProductWarning[] = [];
  const normalized = normalizeRecord(wire, warnings, request.fields);
  let record = resolveLinks(fillAvailability(normalized, warnings), request.base, warnings);
  const earlier: Record<string, unknown> = {};
  let lastGood: LastGoodRecord | undefined;
  for (let round = 0; ; round += 1) {
    const parsed = readRecord(record, request, warnings);
    if (parsed.ok || !isMap(record) || !parsed.problems.every(isDroppable)) return parsed;
    if (round === 0) {
      lastGood = request.lastGood?.();
      if (lastGood?.record.language !== record['language']) lastGood = undefined;
      Object.assign(earlier, lastGood?.record);
    }
    const dateOf = (field: string) => lastGood?.dateOf(field) ?? '';
    const repaired = replaceFields(record, parsed.problems, { earlier, dateOf });
    warnings.push(...repaired.warnings);
    record = repaired.record;
    // Each field is replaced only once, because an earlier version of the contract may have accepted the same invalid
    // value.
    for (const problem of parsed.problems) delete earlier[locate(problem).name];
  }
}

/** Compiled on first use, because compilation is slow and most programs parse no record. */
let compiled: typeof product | undefined;

function readRecord(
  record: unknown,
  request: { gtin: string } | undefined,
  warnings: ProductWarning[],
): ProductParseResult {
  compiled ??= z.compile(product);
  const parsed = parseValue(compiled, record);
  if (!parsed.ok) return { ...parsed, warnings };
  const implausible = findImplausible(parsed.value);
  if (implausible.length > 0) return { ok: false, problems: implausible, warnings };
  if (request && parsed.value.gtin !== request.gtin) {
    const problem = `is ${parsed.value.gtin}, but ${request.gtin} was requested`;
    return { ok: false, problems: [{ field: 'gtin', problem }], warnings };
  }
  return { ok: true, product: parsed.value, record: record as ProductRecord, warnings };
}

/** Returns the field of a problem, and the index for a list entry. */
function locate({ field }: Problem): { name: string; index: number | undefined } {
  const [, name = '', index] = /^(\w+)(?:\[(\d+)\])?/.exec(field) ?? [];
  return { name, index: index === undefined ? undefined : Number(index) };
}

function isDroppable(problem: Problem): boolean {
  const name = PRODUCT_FIELDS.find((field) => field === locate(problem).name);
  return name !== undefined && product.shape[name].safeParse(undefined).success;
}

const CORRECT_IT =
  "Have it corrected at the product interface. To refuse such records instead, set `sync.invalidFields: 'strict'`.";

/** Replaces invalid fields and list entries by their last good values, or omits them. */
function replaceFields(
  record: Record<string, unknown>,
  problems: readonly Problem[],
  { earlier, dateOf }: { earlier: Readonly<Record<string, unknown>>; dateOf: (field: string) => string },
): { record: Record<string, unknown>; warnings: ProductWarning[] } {
  const warnings: ProductWarning[] = [];
  const found = Map.groupBy(problems, (problem) => locate(problem).name);
  const fields = Object.entries(record).flatMap(([name, value]): [string, unknown][] => {
    const fieldProblems = found.get(name);
    if (!fieldProblems) return [[name, value]];
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
    const wholeField = fieldProblems.find((problem) => locate(problem).index === undefined);
    if (wholeField) return replacement(wholeField, earlier[name], 'the field').map((lastGood) => [name, lastGood]);
    const entries = Array.isArray(value) ? value : [];
    return [
      [
        name,
        entries.flatMap((entry: unknown, i) => {
          const problem = fieldProblems.find((other) => locate(other).index === i);
          return problem ? replacement(problem, earlierEntry(entry, earlier[name]), 'this entry') : [entry];
        }),
      ],
    ];
  });
  return { record: Object.fromEntries(fields), warnings };
}

/** Finds the corresponding entry of an earlier list by name and norm. */
function earlierEntry(entry: unknown, list: unknown): unknown {
  if (!isMap(entry) || !Array.isArray(list)) return undefined;
  const { name, norm } = entry;
  const found = list.filter(
    (other: unknown) =>
      isMap(other) && other['name'] === name && (typeof norm !== 'string' || (other['norm'] ?? '') === norm),
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

/** Matches a path or file name, but no other scheme, host without scheme, or sentence. */
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
        problem: 'is a relative address, resolved against the product interface',
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
    const problem = 'contains a user name or password, which is removed';
    const advice = 'Have the address corrected at the product interface, and change the password.';
    warnings.push({ field, problem, advice });
  }
  return without;
}

const LINK_FIELDS: ReadonlySet<string> = new Set(
  PRODUCT_FIELDS.filter((field) => product.shape[field].meta()?.['format'] === 'uri'),
);

const QUANTITY_FIELDS = PRODUCT_FIELDS.filter((field) => getFieldUnit(field).unit !== undefined);

/** Finds values that are well-formed but implausible. */
function findImplausible(parsedProduct: Product): Problem[] {
  const negative = QUANTITY_FIELDS.filter((field) => {
    const value = parsedProduct[field];
    return typeof value === 'object' && 'value' in value && value.value < 0;
  });
  return [
    ...(parsedProduct.name.trim() === '' ? [{ field: 'name', problem: 'is empty' }] : []),
    ...negative.map((field) => ({ field, problem: 'is less than zero' })),
  ];
}

const isKnown = (field: string): boolean => Object.hasOwn(product.shape, field);

/** Moves unknown fields to `extra`, declared ones first. */
function separateExtra(
  record: Record<string, unknown>,
  warnings: Problem[],
  declared: readonly string[],
): Record<string, unknown> {
  const unknown = Object.keys(record).filter((field) => !isKnown(field));
  if (unknown.length === 0) return record;
  const fields = new Set([...declared, ...unknown]).intersection(new Set(unknown));
  let left = MAX_EXTRA_CHARACTERS;
  const extra = [...fields].filter((field) => {
    const { length } = JSON.stringify([field, record[field]]);
    if (length <= left) {
      left -= length;
      return true;
    }
    const problem = `makes the unknown fields longer than ${MAX_EXTRA_CHARACTERS} characters, so it is left out`;
    warnings.push({ field, problem, advice: 'Have the product interface send fewer or shorter fields.' });
    return false;
  });
  const pick = (names: readonly string[]) => Object.fromEntries(names.map((field) => [field, record[field]]));
  return { ...pick(Object.keys(record).filter(isKnown)), extra: pick(extra) };
}

function normalizeRecord(sent: unknown, warnings: Problem[], declared: readonly string[] = []): unknown {
  if (!isMap(sent)) return sent;
  const cleaned = cleanTexts(sent);
  for (const field of Object.keys(sent)) {
    if (!isKnown(field) && !declared.includes(field)) {
      const advice = 'To show it, declare it in `product.fields` of src/sortiment.config.ts.';
      warnings.push({ field, problem: UNKNOWN_FIELD, advice });
    } else if (cleaned[field] !== sent[field]) {
      const problem = 'contains control characters or unpaired surrogates, which are removed';
      warnings.push({ field, problem, advice: 'Have the text corrected at the product interface.' });
    }
  }
  const wire = separateExtra(dropUserInfo(cleaned, warnings), warnings, declared);
  if (!('availability' in wire) || availability.safeParse(wire['availability']).success) return wire;
  warnings.push({
    field: 'availability',
    problem: `has the unknown value ${JSON.stringify(wire['availability'])}, read as unknown`,
    advice: 'Have it corrected at the product interface; if the value is new in the interface, update Sortiment.',
  });
  return { ...wire, availability: 'unknown' };
}
