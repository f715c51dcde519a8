import type { z } from 'zod';
import { IMPORT_ERRORS } from '#contracts/import.ts';
import { formatProblems, parseValue } from '#contracts/index.ts';
import { errorFactory } from '#origin/platform/http/transport/index.ts';
import { removeUnstorable } from '#origin/platform/http/transport/remove-unstorable.ts';

/** Creates an error that rejects one record. The import continues. */
export const createRecordError = errorFactory(IMPORT_ERRORS, {});

/**
 * Parses a record by its contract.
 *
 * @throws if it doesn't match; only this record is rejected
 */
export function parseWire<S extends z.ZodType>(schema: S, wire: unknown): z.output<S> {
  const reading = parseValue(schema, removeNulCharacters(wire));
  if (reading.ok) return reading.value;
  throw createRecordError('import_unreadable', `does not match the interface:\n${formatProblems(reading.problems)}`);
}

/** Converts a time from the wire (`2026-11-21T10:00:00`) to its stored form. */
export function toStoredTime(wireTime: string): string {
  return wireTime.replace('T', ' ');
}

/** Removes characters that the store can't hold. */
export function removeNulCharacters(value: unknown): unknown {
  if (typeof value === 'string') return removeUnstorable(value);
  if (Array.isArray(value)) return value.map(removeNulCharacters);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [removeUnstorable(key), removeNulCharacters(inner)]),
  );
}
