import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';
import { describeBytes } from './bounded-body.ts';
import { refuseCommon, type RestError } from './rest-error.ts';

/** @throws RestError `rest_response_too_large` for a response of more bytes */
export function checkResponseSize(bytes: number, maxBytes = MAX_RESPONSE_BYTES): void {
  if (bytes > maxBytes) throw responseTooLarge();
}

export function responseTooLarge(): RestError {
  return refuseCommon(
    'rest_response_too_large',
    `The response would be larger than ${describeBytes(MAX_RESPONSE_BYTES)}. Ask for fewer items with "per_page".`,
  );
}

/**
 * Presents rows one after the other, so that a list of long texts takes no more memory at once than one of them.
 *
 * @throws RestError `rest_response_too_large` as soon as the texts of several are longer than a response may be
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
