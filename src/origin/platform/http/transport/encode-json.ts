import { setImmediate } from 'node:timers/promises';
import { checkResponseSize } from './response-size.ts';

/** Letters of JSON after which other requests get their turn; a text that is longer is encoded in pieces. */
const TURN = 64 * 1024;

/** What never changes, with its JSON once that was asked for. */
const unchanging = new WeakMap<object, string | undefined>();

/** Marks what never changes any more and is large: its JSON is kept. It counts as a body, or as a member of one. */
export function keepJson<T extends object>(value: T): T {
  unchanging.set(value, undefined);
  return value;
}

function encodeOnce(value: object): string {
  const known = unchanging.get(value);
  if (known) return known;
  const encoded = escapeLetters(JSON.stringify(value));
  unchanging.set(value, encoded);
  return encoded;
}

function isUnchanging(value: unknown): value is object {
  return typeof value === 'object' && value !== null && unchanging.has(value);
}

/**
 * JSON as servers of this interface print it: slashes escaped, everything beyond ASCII as `\uXXXX`, so that the
 * bytes survive any charset and can stand inside HTML. Others get their turn between pieces of what is long, be it a
 * list or a single text.
 *
 * @returns the pieces one after the other; each letter is a byte
 * @throws RestError `rest_response_too_large` as soon as they have more than `maxBytes`
 */
export async function encodeJson(value: unknown, pretty = false, maxBytes = Infinity): Promise<string[]> {
  if (!pretty && isSmall(value)) return [escapeLetters(JSON.stringify(value) ?? 'null')];
  const pieces: string[] = [];
  let bytes = 0;
  const push = (piece: string) => {
    bytes += piece.length;
    checkResponseSize(bytes, maxBytes);
    pieces.push(flatten(piece));
  };
  let waiting = '';
  for (const json of jsonPieces(value, pretty ? '\n' : '')) {
    if (typeof json !== 'string') {
      if (waiting !== '') push(escapeLetters(waiting));
      push(encodeOnce(json));
      waiting = '';
      continue;
    }
    for (let at = 0; at < json.length; at += TURN) {
      waiting += json.slice(at, at + TURN);
      if (waiting.length <= TURN) continue;
      push(escapeLetters(waiting));
      waiting = '';
      await setImmediate();
    }
  }
  if (waiting !== '') push(escapeLetters(waiting));
  return pieces;
}

/** A text that was put together letter by letter takes five times its length until it is copied. */
function flatten(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** Letters of the name of a member, about. */
const NAME = 10;

/** Whether a value can be encoded in one go, and nothing in it is kept. */
function isSmall(value: unknown): boolean {
  return lettersIn(value, 0, 0) <= TURN;
}

/** Letters of JSON, roughly; adding them up ends where there are too many. */
function lettersIn(value: unknown, before: number, depth: number): number {
  if (typeof value === 'string') return before + value.length;
  if (typeof value !== 'object' || value === null) return before + 1;
  // A body, a member of one, or a member of a row.
  if (depth <= 2 && unchanging.has(value)) return Infinity;
  let letters = before;
  if (Array.isArray(value)) {
    for (const member of value) {
      if (letters > TURN) break;
      letters = lettersIn(member, letters + NAME, depth + 1);
    }
  } else if (isMap(value)) {
    // To have them listed takes longer than to look at them.
    for (const name in value) {
      if (letters > TURN) break;
      letters = lettersIn(value[name], letters + NAME, depth + 1);
    }
  }
  return letters;
}

function isMap(value: object): value is Readonly<Record<string, unknown>> {
  return !Array.isArray(value);
}

/** @param line what stands before what is on a line of its own: the end of the last one and the indent, or nothing */
function* jsonPieces(value: unknown, line: string): Generator<string | object> {
  if (line === '' && isUnchanging(value)) yield value;
  else if (typeof value === 'string' && value.length > TURN) yield* textPieces(value);
  else if (Array.isArray(value) && value.length > 0) yield* listPieces(value, line);
  else if ((line === '' && holdsUnchanging(value)) || holdsLongText(value)) yield* mapPieces(value, line);
  else {
    const json = JSON.stringify(value, undefined, line === '' ? undefined : INDENT) ?? 'null';
    yield line === '' ? json : json.replaceAll('\n', line);
  }
}

const INDENT = 4;
const deeper = (line: string) => (line === '' ? '' : line + ' '.repeat(INDENT));

/** A character of two halves may be cut between them: halves are escaped one by one, as both are together. */
function* textPieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; at += TURN) yield JSON.stringify(text.slice(at, at + TURN)).slice(1, -1);
  yield '"';
}

function* listPieces(list: readonly unknown[], line: string): Generator<string | object> {
  const inner = deeper(line);
  for (const [index, member] of list.entries()) {
    yield `${index === 0 ? '[' : ','}${inner}`;
    yield* jsonPieces(member, inner);
  }
  yield `${line}]`;
}

function* mapPieces(map: object, line: string): Generator<string | object> {
  const inner = deeper(line);
  let separator = '{';
  for (const [name, member] of Object.entries(map)) {
    if (member === undefined) continue;
    yield `${separator}${inner}${JSON.stringify(name)}:${line === '' ? '' : ' '}`;
    yield* jsonPieces(member, inner);
    separator = ',';
  }
  yield `${line}}`;
}

function holdsUnchanging(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.values(value).some(isUnchanging);
}

function holdsLongText(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) =>
    typeof member === 'string' ? member.length > TURN : holdsLongText(member),
  );
}

const escapes: string[] = [];

function escapeOf(unit: number): string {
  return (escapes[unit] ??= `\\u${unit.toString(16).padStart(4, '0')}`);
}

function escapeLetters(json: string): string {
  // An expression finds all slashes before any is replaced; a text would be searched for one at a time.
  return json.replaceAll(/\//g, String.raw`\/`).replaceAll(/[\u0080-\uFFFF]+/g, (letters) => {
    let escaped = '';
    for (let n = 0; n < letters.length; n += 1) escaped += escapeOf(letters.charCodeAt(n));
    return escaped;
  });
}
