import type { z } from 'zod';
import { parseValue, type Problem } from '../parse-value.ts';

/** Maximum number of problems reported for a rejected document. */
const MAX_PROBLEMS = 20;

/** Result of parsing a document of another program, as far as possible. */
export type PartialParseResult<T> =
  | {
      ok: true;
      value: T;
      /** Omitted parts, with one problem each. */
      omitted: Problem[];
    }
  | { ok: false; problems: Problem[] };

export function rejectDocument(problem: string, field = ''): { ok: false; problems: Problem[] } {
  return { ok: false, problems: [{ field, problem }] };
}

/** Accepts a document unless most of its parts are unreadable. */
export function toPartialResult<T>(
  value: T,
  omitted: Problem[],
  parts: { read: number; unread: number },
): PartialParseResult<T> {
  return parts.unread > parts.read
    ? { ok: false, problems: omitted.slice(0, MAX_PROBLEMS) }
    : { ok: true, value, omitted };
}

/**
 * Parses list items one by one, so that an invalid item doesn't affect the others.
 * @param name Name of the list in problems, such as `chapters`.
 * @returns the result of `read`, or the first problem, for each item
 */
export function parseItems<T extends z.ZodType, R>(
  items: readonly unknown[],
  name: string,
  schema: T,
  read: (item: z.output<T>, index: number) => R,
): (R | Problem)[] {
  return items.map((item, i) => {
    const parsed = parseValue(schema, item);
    if (parsed.ok) return read(parsed.value, i);
    const [first = { field: '', problem: 'is not readable' }] = parsed.problems;
    return { ...first, field: `${name}[${i}]${first.field === '' ? '' : `.${first.field}`}` };
  });
}

/** Describes the first omitted part and the number of the others, for reports. */
export function describeOmitted(omitted: readonly Problem[]): string | undefined {
  const [first] = omitted;
  if (!first) return undefined;
  const more = omitted.length > 1 ? `, and ${omitted.length - 1} more` : '';
  return `${`${first.field} ${first.problem}`.trim()}${more}`;
}
