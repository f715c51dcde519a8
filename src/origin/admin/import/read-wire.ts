import type { z } from 'zod';
import { IMPORT_ERRORS } from '#contracts/import.ts';
import { formatProblems, readValue } from '#contracts/index.ts';
import { refuser } from '#origin/platform/http/transport/index.ts';
import { dropNul } from '#origin/platform/http/transport/drop-nul.ts';

/** Refuses one record; the import goes on. */
export const refuseRecord = refuser(IMPORT_ERRORS, {});

/** Reads a record by its contract. @throws when it doesn't match; only this record is refused */
export function readWire<S extends z.ZodType>(schema: S, wire: unknown): z.output<S> {
  const reading = readValue(schema, keepable(wire));
  if (reading.ok) return reading.value;
  throw refuseRecord('import_unreadable', `is not what the interface describes:\n${formatProblems(reading.problems)}`);
}

/** Converts a wire time, `2026-11-21T10:00:00`, to its stored form. */
export function storedTime(wireTime: string): string {
  return wireTime.replace('T', ' ');
}

/** The same value without characters that the store can't hold. */
export function keepable(value: unknown): unknown {
  if (typeof value === 'string') return dropNul(value);
  if (Array.isArray(value)) return value.map(keepable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [dropNul(key), keepable(inner)]));
}
