/**
 * Linear-time scanners for untrusted text. A regular expression that searches a closing sign for each opening one takes
 * quadratic time if there is none.
 */

/**
 * Returns a function that finds the next match at or after a position. Positions must not decrease: the next match is
 * cached, so that all calls together read the text once.
 */
export function forwardFinder(text: string, expression: RegExp): (from: number) => RegExpExecArray | undefined {
  const global = new RegExp(expression, expression.flags.includes('g') ? expression.flags : `${expression.flags}g`);
  let ahead: RegExpExecArray | null | undefined;
  return (from) => {
    if (ahead === undefined || (ahead !== null && ahead.index < from)) {
      global.lastIndex = from;
      ahead = global.exec(text);
    }
    return ahead ?? undefined;
  };
}

/**
 * Returns a function that finds the end of a tag: the position after the first `>` outside quotes. Undefined for a tag
 * with an unclosed quote or without end. Positions must not decrease.
 */
export function tagEndFinder(html: string): (start: number) => number | undefined {
  const first = forwardFinder(html, /[>"']/);
  const next = /[>"']/g;
  /** Positions of quotes after which no tag ends; later searches stop there. */
  const endless = new Set<number>();
  return (start) => {
    const passedQuotes: number[] = [];
    let mark = first(start) ?? null;
    while (mark !== null && !endless.has(mark.index)) {
      if (mark[0] === '>') return mark.index + 1;
      passedQuotes.push(mark.index);
      const closing = html.indexOf(mark[0], mark.index + 1);
      if (closing < 0) break;
      next.lastIndex = closing + 1;
      mark = next.exec(html);
    }
    for (const position of passedQuotes) endless.add(position);
    return undefined;
  };
}

/** A tag and its position in a text. */
export interface TagSpan {
  source: string;
  start: number;
  end: number;
}

/** Finds tags by their start, such as `/<img\b/i`, in order. Tags within the attributes of another are skipped. */
export function* findTags(html: string, opening: RegExp): Generator<TagSpan> {
  const endOf = tagEndFinder(html);
  const openings = new RegExp(opening, opening.flags.includes('g') ? opening.flags : `${opening.flags}g`);
  for (let found = openings.exec(html); found; found = openings.exec(html)) {
    const end = endOf(found.index);
    if (end === undefined) continue;
    yield { source: html.slice(found.index, end), start: found.index, end };
    openings.lastIndex = end;
  }
}

/** Replaces each matching tag. */
export function replaceTags(html: string, opening: RegExp, replace: (tag: TagSpan) => string): string {
  const parts: string[] = [];
  let end = 0;
  for (const tag of findTags(html, opening)) {
    parts.push(html.slice(end, tag.start), replace(tag));
    end = tag.end;
  }
  return parts.join('') + html.slice(end);
}

/** Removes everything between `<` and `>`, and inserts a replacement if given. */
export function stripTags(html: string, replacement = ''): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = html.indexOf('<', at);
    const end = start < 0 ? -1 : html.indexOf('>', start);
    if (end < 0) break;
    parts.push(html.slice(at, start), replacement);
    at = end + 1;
  }
  return parts.join('') + html.slice(at);
}

/** Removes trailing characters of a set. */
export function trimTrailing(text: string, letters: string): string {
  let end = text.length;
  while (end > 0 && letters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Finds spans from an opening sign to the next closing one, with the text between them. Spans don't nest. */
export function* findSpans(
  text: string,
  opening: RegExp,
  closing: RegExp,
): Generator<{ opening: RegExpExecArray; inner: string; start: number; end: number }> {
  const openings = new RegExp(opening, opening.flags.includes('g') ? opening.flags : `${opening.flags}g`);
  const nextClosing = forwardFinder(text, closing);
  for (let found = openings.exec(text); found; found = openings.exec(text)) {
    const innerStart = found.index + found[0].length;
    const closed = nextClosing(innerStart);
    if (!closed) return;
    const end = closed.index + closed[0].length;
    yield { opening: found, inner: text.slice(innerStart, closed.index), start: found.index, end };
    openings.lastIndex = end;
  }
}

/** Decodes percent-encoded text; undefined if it is malformed. */
export function tryDecode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Parses JSON; undefined if it is malformed. */
export function tryParse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Truncates a text without cutting a character. */
export function truncateBytes(text: string, maxBytes: number): string {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

/** Control characters except tabs and line breaks. They break several output formats. */
// oxlint-disable-next-line no-control-regex -- `\p{Cc}` takes longer, and every text of every record is looked at.
const CONTROL = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F]/;
const CONTROLS = new RegExp(CONTROL, 'g');

/** Removes control characters and unpaired surrogates. */
export function cleanText(text: string): string {
  return isClean(text) ? text : text.toWellFormed().replaceAll(CONTROLS, '');
}

/** White space other than single spaces between words. */
const UNEVEN = /[^\S ]|\s\s|^\s|\s$/;

/** Collapses white space to single spaces and trims the text. */
export function toSingleLine(text: string): string {
  return UNEVEN.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}

/** Changes all texts in a JSON value, except property names. Returns the same value if no text changes. */
export function mapTexts<T>(value: T, change: (text: string) => string): T;
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const changed = members.map(([name, member]): [string, unknown] => [name, mapTexts(member, change)]);
  if (changed.every(([, member], i) => member === members[i]?.[1])) return value;
  return Array.isArray(value) ? changed.map(([, member]) => member) : Object.fromEntries(changed);
}

/** Cleans all texts in a JSON value. Returns the same value if there is nothing to clean. */
export function cleanTexts<T>(value: T): T {
  // Most values are clean, and this takes half as long: 25 µs for a product.
  return isClean(value) ? value : mapTexts(value, cleanText);
}

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !CONTROL.test(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isClean);
}

/** Decodes percent-encoding. Returns a malformed text unchanged. */
export function decodePercent(text: string): string {
  return tryDecode(text) ?? text;
}
