import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Maximum size of the rows of one statement. A page of 100 long texts exceeds 200 MB, and several of them at once
 * exhaust the memory.
 */
export const MAX_RESULT_BYTES = MAX_RESPONSE_BYTES;

/** Maximum size of a JSON value, unless its column has another limit. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** Maximum size of stored file metadata. Lists contain 100 of them. */
export const MAX_MEDIA_DETAILS_BYTES = 100_000;

/** Custom SQLSTATEs in the class of exceeded limits. */
export const RESULT_TOO_LARGE = '54S01';
export const VALUE_TOO_LARGE = '54S02';

export const resultTooLarge = {
  code: RESULT_TOO_LARGE,
  message: `A statement returns more than ${MAX_RESULT_BYTES} bytes.`,
};

/** An exceeded limit of the store. `code` is an SQLSTATE. */
export class StoreLimitError extends Error {
  override readonly name = 'StoreLimitError';
  readonly code: string;

  constructor({ code, message }: { code: string; message: string }) {
    super(message);
    this.code = code;
  }
}

const limit = new AsyncLocalStorage<number>();

/** Limits the result size of each statement in `work`. Larger results fail. */
export function limitResults<T>(work: () => T): T {
  return limit.run(MAX_RESULT_BYTES, work);
}

/** Maximum size in bytes of the current statement's rows. `Infinity` for background work and writes. */
export function maxResultBytes(): number {
  return limit.getStore() ?? Infinity;
}

/** @throws StoreLimitError if the rows of a statement exceed its limit */
export function assertResultSize(rows: readonly unknown[]): void {
  const maxBytes = maxResultBytes();
  if (maxBytes === Infinity) return;
  let letters = 0;
  const count = (value: unknown): void => {
    if (typeof value === 'string') letters += value.length;
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) count(inner);
    if (letters > maxBytes) throw new StoreLimitError(resultTooLarge);
  };
  count(rows);
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
