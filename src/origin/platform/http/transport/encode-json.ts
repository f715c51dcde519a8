import { setImmediate } from 'node:timers/promises';
import { checkResponseSize } from './bounded-body.ts';

const INDENT = 4;

/** Number of characters after which other requests run. Encoding a megabyte takes a tenth of a second. */
const TURN_LENGTH = 256 * 1024;

/**
 * Encodes JSON as servers of this interface do: escapes slashes and everything beyond ASCII, so that it survives any
 * charset and can be embedded in HTML.
 *
 * Lists are encoded row by row, and other requests run in between.
 *
 * @throws RestError `rest_response_too_large` as soon as a list exceeds `maxBytes`
 */
export async function encodeJson(value: unknown, pretty = false, maxBytes = Infinity): Promise<string> {
  const space = pretty ? INDENT : undefined;
  if (!Array.isArray(value) || value.length === 0) return escapeJson(JSON.stringify(value, undefined, space) ?? 'null');
  const line = pretty ? `\n${' '.repeat(INDENT)}` : '';
  const rows: string[] = [];
  let bytes = 0;
  let turn = 0;
  for (const row of value as unknown[]) {
    const json = escapeJson(JSON.stringify(row, undefined, space) ?? 'null');
    bytes += json.length;
    checkResponseSize(bytes, maxBytes);
    rows.push(line + (pretty ? json.replaceAll('\n', line) : json));
    if (bytes < turn + TURN_LENGTH) continue;
    turn = bytes;
    await setImmediate();
  }
  return `[${rows.join(',')}${pretty ? '\n' : ''}]`;
}

const SLASH = 0x2f;
const FIRST_BEYOND_ASCII = 0x80;

/** A loop: a regular expression takes seven times as long for texts with characters beyond Latin-1. */
function escapeJson(json: string): string {
  let escaped = '';
  let start = 0;
  for (let n = 0; n < json.length; n += 1) {
    const code = json.charCodeAt(n);
    if (code !== SLASH && code < FIRST_BEYOND_ASCII) continue;
    escaped += json.slice(start, n) + (code === SLASH ? String.raw`\/` : `\\u${code.toString(16).padStart(4, '0')}`);
    start = n + 1;
  }
  return escaped + json.slice(start);
}
