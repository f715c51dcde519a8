import { customType } from 'drizzle-orm/pg-core';
import { MAX_JSON_BYTES, StoreLimitError, VALUE_TOO_LARGE } from './store-limits.ts';

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
      throw new StoreLimitError({
        code: VALUE_TOO_LARGE,
        message: `The JSON value has ${bytes} bytes; at most ${maxBytes} are allowed${name === '' ? '' : ` in ${name}`}.`,
      });
    },
  });
  return json(name);
}
