import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';
import { describeBytes } from './bounded-body.ts';
import { createCommonError, type RestError } from './rest-error.ts';

/** @throws RestError `rest_response_too_large` if the size exceeds the limit */
export function checkResponseSize(bytes: number, maxBytes = MAX_RESPONSE_BYTES): void {
  if (bytes > maxBytes) throw createResponseTooLargeError();
}

export function createResponseTooLargeError(): RestError {
  return createCommonError(
    'rest_response_too_large',
    `The response would be larger than ${describeBytes(MAX_RESPONSE_BYTES)}. Ask for fewer items with "per_page".`,
  );
}

/**
 * Presents rows one at a time, so that a list needs no more memory than its largest row.
 *
 * @throws RestError `rest_response_too_large` as soon as several rows exceed the limit
 */
export async function presentRows<Row, Shown>(
  rows: readonly Row[],
  present: (row: Row) => Promise<Shown>,
): Promise<Shown[]> {
  const presented: Shown[] = [];
  let letters = 0;
  for (const row of rows) {
    const shown = await present(row);
    letters += countLetters(shown);
    if (presented.length > 0) checkResponseSize(letters);
    presented.push(shown);
  }
  return presented;
}

function countLetters(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + countLetters(inner), 0);
}
