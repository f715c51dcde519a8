import { z } from 'zod';

/**
 * Values of query strings and loosely typed bodies of the publishing interface. Each schema accepts all wire formats
 * and yields the real type. `z.toJSONSchema(schema, { io: 'output' })` gives the description for the index and the
 * OpenAPI document.
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
  const text = typeof value === 'string' ? value.toLowerCase() : value;
  if (text === 'true' || text === '1' || text === 1) return true;
  if (text === 'false' || text === '0' || text === 0) return false;
  return value;
}, z.boolean());

/** Default maximum length of a list. */
export const MAX_LIST_ITEMS = 1000;

/**
 * Schema of a text with a maximum length. The limit is not part of the index, because other servers have other limits.
 */
export function wireText(maxLength: number) {
  return z.string().refine((text) => text.length <= maxLength, { params: tooLong(maxLength) });
}

/** Error parameters of a text that is too long. */
export const tooLong = (maxLength: number) => ({ code: 'rest_too_long', most: maxLength });

/**
 * Schema of a list, or of a text separated by commas or white space; an empty text is an empty list. The length is
 * checked before the items.
 */
export function wireList<T extends z.ZodType>(item: T, limits: { unique?: true; most?: number } = {}) {
  const { most: maxLength = MAX_LIST_ITEMS } = limits;
  const list = limits.most === undefined ? z.array(item) : z.array(item).max(maxLength);
  const split = (value: unknown, context: z.RefinementCtx) => {
    const items = splitList(value);
    if (!Array.isArray(items) || items.length <= maxLength) return items;
    context.addIssue({ code: 'too_big', origin: 'array', maximum: maxLength, inclusive: true });
    return z.NEVER;
  };
  if (!limits.unique) return z.preprocess(split, list);
  return z.preprocess(
    split,
    list.refine(areUnique, { params: { code: 'rest_duplicate_items' } }).meta({ uniqueItems: true }),
  );
}

/**
 * Schema of a value in one of several forms, each with a `title` in its metadata. A value that matches several forms is
 * rejected, as by other servers.
 */
export function wireForms<const T extends readonly [z.ZodType, z.ZodType, ...z.ZodType[]]>(...forms: T) {
  return z.union(forms).meta({ exclusive: true });
}

/**
 * `2026-11-21T10:00:00`, optionally with a space instead of the `T`, a fraction or a zone. Without a zone: local time
 * of the site.
 */
export const wireDateTime = z
  .string()
  .regex(
    /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])[T ]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d{2}(:?\d{2})?)?$/i,
  )
  .meta({ format: 'date-time' });

/** Splits a list in text form; returns other values unchanged. */
export function splitList(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return [value];
  if (typeof value !== 'string') return value;
  return value.split(/[\s,]+/).filter((item) => item !== '');
}

function areUnique(items: readonly unknown[]): boolean {
  return new Set(items.map((item) => JSON.stringify(item))).size === items.length;
}

/** Converts a decimal text to a number; returns other values unchanged. */
export function readNumber(value: unknown): unknown {
  return typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
}
