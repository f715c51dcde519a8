import type { z } from 'zod';
import { fieldsIn, type Context } from '#contracts/core/index.ts';
import type { AnyCall } from './transport/index.ts';

/** How each field of a row is made; nothing is made that is not shown. A field that comes out undefined is left out. */
export type FieldMakers = Partial<Record<string, () => unknown>>;

/** The fields of a resource that are shown in the context and were asked for, in wire order. */
export function presentFields(
  resource: z.ZodObject,
  makers: FieldMakers,
  { context, call }: { context: Context; call: Pick<AnyCall, 'fields'> },
): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const name of fieldsIn(resource, context)) {
    const value = call.fields.wants(name) ? makers[name]?.() : undefined;
    if (value !== undefined) body[name] = value;
  }
  return body;
}

/** The same where fields are made of texts, which may take long. */
export async function presentTexts(
  resource: z.ZodObject,
  makers: FieldMakers,
  { context, call }: { context: Context; call: Pick<AnyCall, 'fields'> },
): Promise<Record<string, unknown>> {
  const body: Record<string, unknown> = {};
  for (const name of fieldsIn(resource, context)) {
    const value = call.fields.wants(name) ? await makers[name]?.() : undefined;
    if (value !== undefined) body[name] = value;
  }
  return body;
}
