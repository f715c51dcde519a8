import type { z } from 'zod';
import { readValue, type Problem } from '../read-value.ts';

/** A document of another program, read as far as possible. */
export type PartialReading<T> =
  | {
      ok: true;
      value: T;
      /** Parts that were left out, one problem each. */
      omitted: Problem[];
    }
  | { ok: false; problems: Problem[] };

/** Maximum number of problems reported for a document that is refused. */
const MAX_PROBLEMS = 20;

export function rejectDocument(problem: string, field = ''): { ok: false; problems: Problem[] } {
  return { ok: false, problems: [{ field, problem }] };
}

/** Accepts a document unless more of its parts are unreadable than readable. */
export function toPartialReading<T>(
  value: T,
  omitted: Problem[],
  parts: { read: number; unread: number },
): PartialReading<T> {
  return parts.unread > parts.read
    ? { ok: false, problems: omitted.slice(0, MAX_PROBLEMS) }
    : { ok: true, value, omitted };
}

/**
 * Reads the items of a list one by one, so that one of them can't cost the others.
 * @param name Name of the list in problems, such as `chapters`.
 * @returns for each item what `read` makes of it, or its first problem
 */
export function readItems<T extends z.ZodType, R>(
  items: readonly unknown[],
  name: string,
  schema: T,
  read: (item: z.output<T>, index: number) => R,
): (R | Problem)[] {
  return items.map((item, i) => {
    const reading = readValue(schema, item);
    if (reading.ok) return read(reading.value, i);
    const [first = { field: '', problem: 'is not readable' }] = reading.problems;
    return { ...first, field: `${name}[${i}]${first.field === '' ? '' : `.${first.field}`}` };
  });
}

/** The first of the omitted parts and the number of the others, for a line of a report. */
export function describeOmitted(omitted: readonly Problem[]): string | undefined {
  const [first] = omitted;
  if (!first) return undefined;
  const more = omitted.length > 1 ? `, and ${omitted.length - 1} more` : '';
  return `${`${first.field} ${first.problem}`.trim()}${more}`;
}
