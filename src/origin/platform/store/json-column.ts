import { customType } from 'drizzle-orm/pg-core';
import { MAX_JSON_BYTES, StoreLimitError, VALUE_TOO_LARGE } from './store-limits.ts';

/**
 * A `jsonb` column that refuses values above a size when they are written.
 *
 * @param maxBytes of UTF-8
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
        message: `A JSON value has ${bytes} bytes; at most ${maxBytes} are stored${name === '' ? '' : ` in ${name}`}.`,
      });
    },
  });
  return json(name);
}
