import { z } from 'zod';
import { wireList } from '#contracts/index.ts';

/** The input of an ability that reports facts: empty for all, or the names of some. */
export function fieldChoice<N extends string>(facts: { keyof(): { options: N[] } }) {
  const fields = wireList(z.enum(facts.keyof().options)).optional();
  return z.strictObject({ fields: fields.meta({ description: 'Only these fields' }) }).default({});
}

/** The facts that were chosen. */
export function chooseFields(facts: Readonly<Record<string, unknown>>, chosen: readonly string[] | undefined) {
  return Object.fromEntries(Object.entries(facts).filter(([name]) => !chosen?.length || chosen.includes(name)));
}
