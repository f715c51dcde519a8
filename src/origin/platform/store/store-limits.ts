import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { customType } from 'drizzle-orm/pg-core';

/**
 * Maximum size of the rows of one statement. A page of 100 long texts exceeds 200 MB, and several of them at once
 * exhaust the memory.
 */
export const MAX_RESULT_BYTES = MAX_RESPONSE_BYTES;

/** Maximum size of a JSON value, unless its column has another limit. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** Maximum size of stored file metadata. Lists contain 100 of them. */
export const MAX_MEDIA_DETAILS_BYTES = 100_000;

/** An exceeded limit of a statement: of its result, or of a written value. */
class StoreLimitError extends Error {
  override readonly name = 'StoreLimitError';
  readonly exceeded: 'result' | 'value';

  constructor(exceeded: 'result' | 'value', message: string) {
    super(message);
    this.exceeded = exceeded;
  }
}

const createResultError = () =>
  new StoreLimitError('result', `A statement returns more than ${MAX_RESULT_BYTES} bytes.`);

/** Returns the limit that a statement exceeded, also from wrapped errors. */
export function exceededLimit(error: unknown): 'result' | 'value' | undefined {
  if (error instanceof StoreLimitError) return error.exceeded;
  return error instanceof Error ? exceededLimit(error.cause) : undefined;
}

/**
 * A `jsonb` column that rejects larger values on write.
 *
 * @param maxBytes maximum size in UTF-8
 */
export function boundedJson(name = '', maxBytes = MAX_JSON_BYTES) {
  const json = customType<{ data: unknown }>({
    dataType: () => 'jsonb',
    toDriver(value) {
      const text = JSON.stringify(value);
      const bytes = Buffer.byteLength(text);
      if (bytes <= maxBytes) return text;
      const location = name === '' ? '' : ` in ${name}`;
      const message = `The JSON value has ${bytes} bytes; at most ${maxBytes} are allowed${location}.`;
      throw new StoreLimitError('value', message);
    },
  });
  return json(name);
}

const limited = new AsyncLocalStorage<true>();

/** Limits the result size of each statement in `work`. Larger results fail. */
export function limitResults<T>(work: () => T): T {
  return limited.run(true, work);
}

/** True if the current statement's rows are limited. Those of background work and writes aren't. */
export function isResultLimited(): boolean {
  return limited.getStore() ?? false;
}

/** @throws StoreLimitError if the rows of a statement exceed its limit */
export function assertResultSize(rows: readonly unknown[]): void {
  if (!isResultLimited()) return;
  let letters = 0;
  const count = (value: unknown): void => {
    if (typeof value === 'string') letters += value.length;
    else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) count(inner);
    if (letters > MAX_RESULT_BYTES) throw createResultError();
  };
  count(rows);
}

type Parse = (text: string) => unknown;

/** Creates a wrapper for value parsers that throws when they have parsed more than the limit in total. */
export function boundParsers(): (parse: Parse) => Parse {
  let bytes = 0;
  return (parse) => (text) => {
    bytes += text.length;
    if (bytes > MAX_RESULT_BYTES) throw createResultError();
    return parse(text);
  };
}
