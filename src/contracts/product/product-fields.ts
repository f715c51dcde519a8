import { z } from 'zod';
import { parseValue } from '../parse-value.ts';
import { hasUserInfo } from '../user-info.ts';
import { decimal, type Decimal } from './index.ts';

/** Types of further fields, which the options of the site declare. */
export const FIELD_TYPES = ['text', 'number', 'boolean', 'date', 'url', 'choice', 'list'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** Places that can show a field. */
export const FIELD_PLACES = ['page', 'list', 'comparison', 'facets', 'search', 'feeds', 'schema'] as const;

/** A valid value. Dates are ISO dates; choices are keys of `values`. */
export type FieldValue = string | boolean | Decimal | string[];

/** Type of a field, with the values of a choice or list and their names. */
interface FieldDeclaration {
  type: FieldType;
  values?: Readonly<Record<string, string | Readonly<Record<string, string>>>> | undefined;
}

/** A name of a field in records. Objects inherit values of names such as `constructor`. */
export const sourceField = z
  .string()
  .min(1)
  .refine((name) => !(name in Object.prototype), { error: 'is a name that JavaScript reserves' });

/** Returns the names of the fields in the product interface. */
export function sourceNames(fields: Readonly<Record<string, { source?: string | undefined }>>): string[] {
  return Object.entries(fields).map(([name, { source = name }]) => source);
}

/** Parses the value of a field from the interface or an overlay. Invalid values and items are left out. */
export function parseFieldValue(
  field: FieldDeclaration,
  wire: unknown,
): { value: FieldValue | undefined; problems: string[] } {
  const isList = field.type === 'list';
  const problems: string[] = [];
  const values = (isList && Array.isArray(wire) ? (wire as unknown[]) : [wire])
    .filter((item) => item !== undefined && item !== null && item !== '')
    .flatMap((item) => {
      const parsed = parseValue(itemSchema(field), item);
      if (parsed.ok) return [parsed.value];
      problems.push(`${parsed.problems[0]?.problem}`);
      return [];
    });
  const value = isList ? values.filter((item) => typeof item === 'string') : values[0];
  return { value: Array.isArray(value) && value.length === 0 ? undefined : value, problems };
}

const text = z
  .union([z.string(), z.number()], { error: 'is not a text' })
  .transform((value) => String(value).trim())
  .refine((value) => value !== '', { error: 'is a text of spaces' });

function itemSchema({ type, values }: FieldDeclaration): z.ZodType<Exclude<FieldValue, string[]>> {
  switch (type) {
    case 'number':
      return decimal;
    case 'boolean':
      return TRUE_OR_FALSE;
    case 'date':
      return ISO_DATE;
    case 'url':
      return publicAddress;
    default:
      return values ? text.transform((value, context) => findKey(values, value, context)) : text;
  }
}

const TRUE_OR_FALSE = z.boolean({ error: 'is neither true nor false' });
/** An address without credentials, which pages would publish. */
export const publicAddress = z
  .url({ protocol: /^https?$/, error: 'is not an http(s) address' })
  .refine((address) => !hasUserInfo(address), { error: 'contains a user name or password' });

/** YAML parses unquoted dates. */
const ISO_DATE = z
  .preprocess(
    (value) => (value instanceof Date ? value.toISOString() : value),
    z.union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], {
      error: 'is not an ISO date such as "2026-11-28"',
    }),
  )
  .transform((value) => value.slice(0, 10));

/** Finds the value with this key or name. */
function findKey(values: NonNullable<FieldDeclaration['values']>, value: string, context: z.RefinementCtx): string {
  const wanted = value.toLowerCase();
  const found = Object.entries(values).find(([key, names]) =>
    [key, ...(typeof names === 'string' ? [names] : Object.values(names))].some(
      (name) => name.toLowerCase() === wanted,
    ),
  );
  if (found) return found[0];
  context.addIssue({ code: 'custom', message: `is not one of ${Object.keys(values).join(', ')}` });
  return z.NEVER;
}
