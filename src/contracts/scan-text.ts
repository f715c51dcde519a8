/**
 * Ways to read text that somebody else wrote in time that grows with its length, and not with the square of it: a
 * regular expression that looks from each opening sign for a closing one that never comes takes that.
 */

/**
 * Finds what fits an expression at or behind a place. Places asked for must not go back: what was found ahead is
 * remembered, so that all calls together read the text once.
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
 * Finds where tags end: behind the first `>` outside quotes. Nothing for one that isn't closed, or in which a quote
 * isn't. Places asked for must not go back.
 */
export function tagEnds(html: string): (start: number) => number | undefined {
  const first = forwardFinder(html, /[>"']/);
  const next = /[>"']/g;
  /** Quotes from which no tag ends: who comes to one later need not go on. */
  const endless = new Set<number>();
  return (start) => {
    const passed: number[] = [];
    let mark = first(start) ?? null;
    while (mark !== null && !endless.has(mark.index)) {
      if (mark[0] === '>') return mark.index + 1;
      passed.push(mark.index);
      const closing = html.indexOf(mark[0], mark.index + 1);
      if (closing < 0) break;
      next.lastIndex = closing + 1;
      mark = next.exec(html);
    }
    for (const place of passed) endless.add(place);
    return undefined;
  };
}

/** A tag as it stands in a text. */
export interface FoundTag {
  source: string;
  start: number;
  end: number;
}

/** Tags that begin as an expression says, such as `/<img\b/i`, in their order. What stands in one is in no other. */
export function* findTags(html: string, opening: RegExp): Generator<FoundTag> {
  const endOf = tagEnds(html);
  const openings = new RegExp(opening, opening.flags.includes('g') ? opening.flags : `${opening.flags}g`);
  for (let found = openings.exec(html); found; found = openings.exec(html)) {
    const end = endOf(found.index);
    if (end === undefined) continue;
    yield { source: html.slice(found.index, end), start: found.index, end };
    openings.lastIndex = end;
  }
}

/** Puts something in the place of each such tag. */
export function replaceTags(html: string, opening: RegExp, replace: (tag: FoundTag) => string): string {
  const parts: string[] = [];
  let end = 0;
  for (const tag of findTags(html, opening)) {
    parts.push(html.slice(end, tag.start), replace(tag));
    end = tag.end;
  }
  return parts.join('') + html.slice(end);
}

/** The text without what stands between `<` and `>`, and with something in its place if wanted. */
export function stripTags(html: string, inPlace = ''): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = html.indexOf('<', at);
    const end = start < 0 ? -1 : html.indexOf('>', start);
    if (end < 0) break;
    parts.push(html.slice(at, start), inPlace);
    at = end + 1;
  }
  return parts.join('') + html.slice(at);
}

/** The text up to the last letter that is none of these. */
export function trimEndOf(text: string, letters: string): string {
  let end = text.length;
  while (end > 0 && letters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** A part of a text from an opening to a closing sign. */
export interface FoundSpan {
  opening: RegExpExecArray;
  /** What stands between the two. */
  inner: string;
  start: number;
  end: number;
}

/** Parts from each opening sign to the next closing one behind it. What stands in one begins no other. */
export function* findSpans(text: string, opening: RegExp, closing: RegExp): Generator<FoundSpan> {
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
