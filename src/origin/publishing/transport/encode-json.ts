import { setImmediate } from 'node:timers/promises';

/** Letters of JSON after which other requests get their turn. */
const TURN = 256 * 1024;

/**
 * JSON as servers of this interface print it: slashes escaped, everything beyond ASCII as `\uXXXX`, so that the
 * bytes survive any charset and can stand inside HTML.
 */
export function encodeJson(value: unknown, pretty = false): string {
  return escapeLetters(JSON.stringify(value, undefined, pretty ? 4 : undefined));
}

/** The same, row by row where it is a list, with turns of other requests between pieces of what is long. */
export async function encodeLongJson(value: unknown): Promise<string> {
  const rows = Array.isArray(value) ? value : [value];
  const pieces: string[] = [];
  let letters = 0;
  for (const row of rows) {
    const json = JSON.stringify(row) ?? 'null';
    if (pieces.length > 0) pieces.push(',');
    for (let at = 0; at < json.length; at += TURN) {
      const piece = json.slice(at, at + TURN);
      letters += piece.length;
      if (letters > TURN) {
        letters = 0;
        await setImmediate();
      }
      pieces.push(escapeLetters(piece));
    }
  }
  const joined = pieces.join('');
  return Array.isArray(value) ? `[${joined}]` : joined;
}

function escapeLetters(json: string): string {
  return json
    .replaceAll('/', String.raw`\/`)
    .replaceAll(/[\u0080-\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
