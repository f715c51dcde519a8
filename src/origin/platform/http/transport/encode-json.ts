import { setImmediate } from 'node:timers/promises';
import { checkResponseSize } from './bounded-body.ts';

/** Maximum number of characters that are encoded before other requests run. */
const TURN_LENGTH = 64 * 1024;

/** Encoded JSON of immutable values, created on first use. */
const cachedJson = new WeakMap<object, string | undefined>();

/** Marks a large immutable value, so that its JSON is cached. Works for a response body or a member of one. */
export function cacheJson<T extends object>(value: T): T {
  cachedJson.set(value, undefined);
  return value;
}

function encodeOnce(value: object): string {
  const cached = cachedJson.get(value);
  if (cached) return cached;
  const encoded = escapeLetters(JSON.stringify(value));
  cachedJson.set(value, encoded);
  return encoded;
}

function isCached(value: unknown): value is object {
  return typeof value === 'object' && value !== null && cachedJson.has(value);
}

/**
 * Encodes JSON as servers of this interface do: escapes slashes and everything beyond ASCII, so that it survives any
 * charset and can be embedded in HTML.
 *
 * Other requests run between the chunks of a long value.
 *
 * @returns chunks in order; each character is one byte
 * @throws RestError `rest_response_too_large` as soon as they exceed `maxBytes`
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
    for (let at = 0; at < json.length; at += TURN_LENGTH) {
      waiting += json.slice(at, at + TURN_LENGTH);
      if (waiting.length <= TURN_LENGTH) continue;
      push(escapeLetters(waiting));
      waiting = '';
      await setImmediate();
    }
  }
  if (waiting !== '') push(escapeLetters(waiting));
  return pieces;
}

/** A string built by concatenation takes five times its length until it is copied. */
function flatten(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

/** Approximate length of a member's name. */
const NAME_LENGTH = 10;

/** True if a value can be encoded at once and contains no cached JSON. */
function isSmall(value: unknown): boolean {
  return estimateLength(value, 0, 0) <= TURN_LENGTH;
}

/** Estimates the length of the JSON. Stops when the limit is exceeded. */
function estimateLength(value: unknown, before: number, depth: number): number {
  if (typeof value === 'string') return before + value.length;
  if (typeof value !== 'object' || value === null) return before + 1;
  // A body, a member of it, or a member of a row.
  if (depth <= 2 && cachedJson.has(value)) return Infinity;
  let letters = before;
  if (Array.isArray(value)) {
    for (const member of value) {
      if (letters > TURN_LENGTH) break;
      letters = estimateLength(member, letters + NAME_LENGTH, depth + 1);
    }
  } else if (isMap(value)) {
    // Faster than `Object.entries`.
    for (const name in value) {
      if (letters > TURN_LENGTH) break;
      letters = estimateLength(value[name], letters + NAME_LENGTH, depth + 1);
    }
  }
  return letters;
}

function isMap(value: object): value is Readonly<Record<string, unknown>> {
  return !Array.isArray(value);
}

/** @param line prefix of a line: line break and indent, or empty without pretty-printing */
function* jsonPieces(value: unknown, line: string): Generator<string | object> {
  if (line === '' && isCached(value)) yield value;
  else if (typeof value === 'string' && value.length > TURN_LENGTH) yield* textPieces(value);
  else if (Array.isArray(value) && value.length > 0) yield* listPieces(value, line);
  else if ((line === '' && hasCachedMember(value)) || hasLongText(value)) yield* mapPieces(value, line);
  else {
    const json = JSON.stringify(value, undefined, line === '' ? undefined : INDENT) ?? 'null';
    yield line === '' ? json : json.replaceAll('\n', line);
  }
}

const INDENT = 4;
const deeper = (line: string) => (line === '' ? '' : line + ' '.repeat(INDENT));

/** Surrogate pairs may be split, as halves are escaped one by one. */
function* textPieces(text: string): Generator<string> {
  yield '"';
  for (let at = 0; at < text.length; at += TURN_LENGTH)
    yield JSON.stringify(text.slice(at, at + TURN_LENGTH)).slice(1, -1);
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

function hasCachedMember(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.values(value).some(isCached);
}

function hasLongText(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((member) =>
    typeof member === 'string' ? member.length > TURN_LENGTH : hasLongText(member),
  );
}

const escapes: string[] = [];

function escapeOf(unit: number): string {
  return (escapes[unit] ??= `\\u${unit.toString(16).padStart(4, '0')}`);
}

function escapeLetters(json: string): string {
  // A regular expression finds all slashes in one pass, unlike a string.
  return json.replaceAll(/\//g, String.raw`\/`).replaceAll(/[\u0080-\uFFFF]+/g, (letters) => {
    let escaped = '';
    for (let n = 0; n < letters.length; n += 1) escaped += escapeOf(letters.charCodeAt(n));
    return escaped;
  });
}
