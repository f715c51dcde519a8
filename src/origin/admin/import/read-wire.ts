import type { z } from 'zod';
import { IMPORT_ERRORS } from '#contracts/import.ts';
import { formatProblems, readValue } from '#contracts/index.ts';
import { refuser } from '#origin/platform/http/transport/index.ts';
import { dropNul } from '#origin/platform/http/transport/drop-nul.ts';

/** Creates an error that rejects one record. The import continues. */
export const refuseRecord = refuser(IMPORT_ERRORS, {});

/**
 * Parses a record by its contract.
 *
 * @throws if it doesn't match; only this record is rejected
 */
export function readWire<S extends z.ZodType>(schema: S, wire: unknown): z.output<S> {
  const reading = readValue(schema, keepable(wire));
  if (reading.ok) return reading.value;
  throw refuseRecord('import_unreadable', `does not match the interface:\n${formatProblems(reading.problems)}`);
}

/** Converts a time from the wire (`2026-11-21T10:00:00`) to its stored form. */
export function storedTime(wireTime: string): string {
  return wireTime.replace('T', ' ');
}

/** Removes characters that the store can't hold. */
export function keepable(value: unknown): unknown {
  if (typeof value === 'string') return dropNul(value);
  if (Array.isArray(value)) return value.map(keepable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [dropNul(key), keepable(inner)]));
}
