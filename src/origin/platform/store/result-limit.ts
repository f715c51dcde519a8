import { AsyncLocalStorage } from 'node:async_hooks';
import { MAX_RESULT_BYTES, resultTooLarge, StoreLimitError } from './store-limits.ts';

const limit = new AsyncLocalStorage<number>();

/** Limits the result size of each statement in `work`. Larger results fail. */
export function limitResults<T>(work: () => T): T {
  return limit.run(MAX_RESULT_BYTES, work);
}

/** Maximum size in bytes of the current statement's rows. `Infinity` for background work and writes. */
export function maxResultBytes(): number {
  return limit.getStore() ?? Infinity;
}

type Parse = (text: string) => unknown;

/** Creates a wrapper for value parsers that throws when they have parsed more than `maxBytes` in total. */
export function boundParsers(maxBytes: number): (parse: Parse) => Parse {
  if (maxBytes === Infinity) return (parse) => parse;
  let bytes = 0;
  return (parse) => (text) => {
    bytes += text.length;
    if (bytes > maxBytes) throw new StoreLimitError(resultTooLarge);
    return parse(text);
  };
}
