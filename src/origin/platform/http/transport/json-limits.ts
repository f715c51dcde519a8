import { dropNul } from './drop-nul.ts';

/** More than any request has: 25 requests of a batch with everything that may be written. */
const MAX_VALUES = 100_000;
/** As deep as other servers of this interface read. */
const MAX_DEPTH = 512;

/**
 * Whether a JSON text holds more values, or deeper in each other, than a request may: looked at before it is parsed,
 * for parsing makes something of each value.
 */
export function sizeUp(json: string): 'fits' | 'too many' | 'too deep' {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = endOfText(json, at);
        break;
      case COMMA:
        values++;
        break;
      case SQUARE:
      case CURLY:
        values++;
        depth++;
        break;
      case SQUARE_END:
      case CURLY_END:
        depth--;
    }
    if (values > MAX_VALUES) return 'too many';
    if (depth > MAX_DEPTH) return 'too deep';
  }
  return 'fits';
}

const [QUOTE, COMMA, SQUARE, SQUARE_END, CURLY, CURLY_END, BACKSLASH] = [34, 44, 91, 93, 123, 125, 92];

/** Where a text ends that begins at a quote: at the next one that isn't escaped. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/** What was parsed of a JSON text, without what the store can't keep: it can come as an escape only. */
export function dropNulIn(json: string, parsed: unknown): unknown {
  return /\\u(?:0000|d[89a-f])/i.test(json) ? dropNulDeep(parsed) : parsed;
}

function dropNulDeep(value: unknown): unknown {
  if (typeof value === 'string') return dropNul(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(dropNulDeep);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, dropNulDeep(member)]));
}
