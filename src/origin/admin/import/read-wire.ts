import type { z } from 'zod';
import { formatProblems, IMPORT_ERRORS, readValue } from '#contracts/index.ts';
import { refuser } from '#origin/platform/http/transport/index.ts';
import { dropNul } from '#origin/platform/http/transport/drop-nul.ts';

/** Refuses a record; the others come. */
export const refuseRecord = refuser(IMPORT_ERRORS, {});

/** A record by its contract. @throws when it is none: it is refused, the others come */
export function readWire<S extends z.ZodType>(schema: S, wire: unknown): z.output<S> {
  const reading = readValue(schema, keepable(wire));
  if (reading.ok) return reading.value;
  throw refuseRecord('import_unreadable', `is not what the interface describes:\n${formatProblems(reading.problems)}`);
}

/** A time of the wire, `2026-11-21T10:00:00`, as it is stored. */
export function storedTime(wireTime: string): string {
  return wireTime.replace('T', ' ');
}

/** The same without what no text of the store can hold. */
export function keepable(value: unknown): unknown {
  if (typeof value === 'string') return dropNul(value);
  if (Array.isArray(value)) return value.map(keepable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [dropNul(key), keepable(inner)]));
}
