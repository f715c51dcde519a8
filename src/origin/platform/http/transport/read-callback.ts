import { refuseCommon } from './rest-error.ts';

/**
 * The function that `_jsonp` wants to be called with the answer: a name, dots allowed, and nothing that could be code.
 * The empty text asks for none.
 *
 * @param isServed whether this origin answers with scripts at all
 * @throws RestError `rest_callback_disabled`, `rest_callback_invalid`
 */
export function readCallback(sent: string | null, isServed: boolean): string | undefined {
  if (sent === null) return undefined;
  if (!isServed) throw refuseCommon('rest_callback_disabled', 'JSONP is not supported.');
  if (/[^\w.]/.test(sent)) throw refuseCommon('rest_callback_invalid', 'Invalid JSONP callback function.');
  return sent || undefined;
}
