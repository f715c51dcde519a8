import type { FieldChange } from './sync-report.ts';

const MAX_TEXT_LENGTH = 160;
/** Number of common characters shown before the first difference. */
const CONTEXT_LENGTH = 20;

/**
 * Lists the fields in which two records differ. Compares members of objects, and items of lists of equal length; other
 * lists as a whole. Missing values, `null` and empty texts are equal.
 */
export function diffFields(before: unknown, after: unknown, field = ''): FieldChange[] {
  if (isEmpty(before) && isEmpty(after)) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item, i) => diffFields(item, after[i], `${field}[${i}]`));
  }
  if (isMap(before) && isMap(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => diffFields(before[name], after[name], field ? `${field}.${name}` : name));
  }
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [shownBefore, shownAfter] = shorten(before, after);
  return [{ field, before: shownBefore, after: shownAfter }];
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Truncates long texts around their first difference, and converts lists and objects to text. */
function shorten(before: unknown, after: unknown): [unknown, unknown] {
  const [a, b] = [toText(before), toText(after)];
  if ([a, b].every((text) => typeof text !== 'string' || text.length <= MAX_TEXT_LENGTH)) return [a, b];
  const start = Math.max(0, commonStart(String(a ?? ''), String(b ?? '')) - CONTEXT_LENGTH);
  return [cut(a, start), cut(b, start)];
}

function toText(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

function cut(value: unknown, start: number): unknown {
  if (typeof value !== 'string') return value;
  const end = start + MAX_TEXT_LENGTH;
  return (start > 0 ? '…' : '') + value.slice(start, end) + (end < value.length ? '…' : '');
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
