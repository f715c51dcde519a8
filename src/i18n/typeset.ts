/**
 * Replaces the spaces of French punctuation by no-break spaces, so that no line starts with a colon. The space is
 * narrow before `;`, `!` and `?`, and of full width before `:` and inside `«` and `»`. No spaces are added: times, URLs
 * and ratios stay unchanged.
 */
export function typeset(text: string): string {
  let result = '';
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(/[;:!?»«]/g)) {
    if (sign === '«') {
      const end = skipSpaces(text, index + 1);
      if (end === index + 1 || end === text.length) continue;
      result += `${text.slice(from, index + 1)}${NO_BREAK}`;
      from = end;
      continue;
    }
    const start = beforeSpaces(text, index, from);
    // A space at the start counts, too, because the preceding text may be in another element.
    if (start === index || !endsWord(text, index)) continue;
    result += `${text.slice(from, start)}${spaceBefore(sign)}`;
    from = index;
  }
  return result + text.slice(from);
}

const NO_BREAK = '\u00a0';
const NARROW_NO_BREAK = '\u202f';
const SPACES = /[\s\u00a0\u202f]/;
const MAY_FOLLOW = /[\s\u00a0\u202f<&)\]»”’"…,.;:!?]/;

function spaceBefore(sign: string): string {
  return sign === ':' || sign === '»' ? NO_BREAK : NARROW_NO_BREAK;
}

/** A sign followed by a letter, digit or slash is not punctuation: ` ?p=1`, ` :root`. */
function endsWord(text: string, index: number): boolean {
  const next = text[index + 1];
  return text[index] === '»' || next === undefined || MAY_FOLLOW.test(next);
}

function beforeSpaces(text: string, end: number, from: number): number {
  let start = end;
  for (;;) {
    if (start > from && SPACES.test(text[start - 1] ?? '')) start -= 1;
    else if (start - ENTITY.length >= from && text.startsWith(ENTITY, start - ENTITY.length)) start -= ENTITY.length;
    else return start;
  }
}

function skipSpaces(text: string, start: number): number {
  let end = start;
  for (;;) {
    if (end < text.length && SPACES.test(text[end] ?? '')) end += 1;
    else if (text.startsWith(ENTITY, end)) end += ENTITY.length;
    else return end;
  }
}

const ENTITY = '&nbsp;';
