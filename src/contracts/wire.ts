import { z } from 'zod';

/**
 * Values as they travel in query strings and loosely typed bodies of the publishing interface. Each schema
 * takes the wire's forms and yields the real type; `z.toJSONSchema(schema, { io: 'output' })` gives the
 * description that the index and the OpenAPI document print.
 */

/** `5`, `"5"`, `"5.0"`; not `"1.5"`, `""`, `"abc"`. */
export function wireInteger(limits: { minimum?: number; maximum?: number } = {}) {
  let integer = z.int();
  if (limits.minimum !== undefined) integer = integer.min(limits.minimum);
  if (limits.maximum !== undefined) integer = integer.max(limits.maximum);
  return z.preprocess(readNumber, integer);
}

/** Any finite number, or its decimal text. */
export const wireNumber = z.preprocess(readNumber, z.number());

/** `true`, `false`, `1`, `0`, in any case; not `"yes"`, not `""`. */
export const wireBoolean = z.preprocess((value) => {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === 'true' || word === '1' || word === 1) return true;
  if (word === 'false' || word === '0' || word === 0) return false;
  return value;
}, z.boolean());

/** What a list holds at the most, where nothing else is said. */
export const MAX_LIST_ITEMS = 1000;

/** A text of so many letters at the most. Indexes don't print the limit: others have none, or another one. */
export function wireText(most: number) {
  return z.string().refine((text) => text.length <= most, { params: tooLong(most) });
}

/** What is said of a longer text. */
export const tooLong = (most: number) => ({ code: 'rest_too_long', most });

/**
 * A list, or a text with commas or white space between the items; the empty text is the empty list. How many there
 * are is looked at before any of them is.
 */
export function wireList<T extends z.ZodType>(item: T, limits: { unique?: true; most?: number } = {}) {
  const { most = MAX_LIST_ITEMS } = limits;
  const list = limits.most === undefined ? z.array(item) : z.array(item).max(most);
  const split = (value: unknown, context: z.RefinementCtx) => {
    const items = splitList(value);
    if (!Array.isArray(items) || items.length <= most) return items;
    context.addIssue({ code: 'too_big', origin: 'array', maximum: most, inclusive: true });
    return z.NEVER;
  };
  if (!limits.unique) return z.preprocess(split, list);
  return z.preprocess(
    split,
    list.refine(areUnique, { params: { code: 'rest_duplicate_items' } }).meta({ uniqueItems: true }),
  );
}

/**
 * A value in one of several forms, each with a `title` in its meta. It must fit exactly one: servers refuse a
 * value that fits two as well as one that fits none.
 */
export function wireForms<const T extends readonly [z.ZodType, z.ZodType, ...z.ZodType[]]>(...forms: T) {
  return z.union(forms).meta({ exclusive: true });
}

/** `2026-11-21T10:00:00`, with a space for the `T`, a fraction or a zone if wanted. Without a zone: the site's time. */
export const wireDateTime = z
  .string()
  .regex(
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d{2}(:?\d{2})?)?$/i,
  )
  .meta({ format: 'date-time' });

/** Splits a list as the wire writes it; anything but text is handed through. */
export function splitList(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return [value];
  if (typeof value !== 'string') return value;
  return value.split(/[\s,]+/).filter((item) => item !== '');
}

function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item))).size === items.length;
}

function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
}
