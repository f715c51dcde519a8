import { AsyncLocalStorage } from 'node:async_hooks';
import { MAX_RESULT_BYTES, resultTooLarge, StoreLimitError } from './store-limits.ts';

const limit = new AsyncLocalStorage<number>();

/** Bounds the rows of each statement that is run in `work`: a statement that returns more fails. */
export function limitResults<T>(work: () => T): T {
  return limit.run(MAX_RESULT_BYTES, work);
}

/** Maximum size of the rows of a statement that is run now, in bytes; `Infinity` for background work and writes. */
export function maxResultBytes(): number {
  return limit.getStore() ?? Infinity;
}

type Parse = (text: string) => unknown;

/** Makes a function that bounds parsers: together, they throw as soon as they have parsed more than `maxBytes`. */
export function boundParsers(maxBytes: number): (parse: Parse) => Parse {
  if (maxBytes === Infinity) return (parse) => parse;
  let bytes = 0;
  return (parse) => (text) => {
    bytes += text.length;
    if (bytes > maxBytes) throw new StoreLimitError(resultTooLarge);
    return parse(text);
  };
}
