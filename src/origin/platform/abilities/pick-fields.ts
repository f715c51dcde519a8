import { z } from 'zod';
import { wireList } from '#contracts/index.ts';

/** Input schema of an ability that reports a record: the names of the fields to return, or none for all. */
export function fieldsInput<N extends string>(schema: { keyof(): { options: N[] } }) {
  const fields = wireList(z.enum(schema.keyof().options)).optional();
  return z.strictObject({ fields: fields.meta({ description: 'Only these fields' }) }).default({});
}

export function pickFields(record: Readonly<Record<string, unknown>>, chosen: readonly string[] | undefined) {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !chosen?.length || chosen.includes(name)));
}
