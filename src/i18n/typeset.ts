/**
 * French puts a space before high punctuation and inside its quotation marks. Where that is an ordinary space, a line
 * may begin with a colon. Here it becomes one at which no line breaks: a narrow one before `;`, `!` and `?`, one of full
 * width before `:` and inside `«` and `»`. Nothing is added where there is no space: times, addresses and ratios stay.
 */
export function typeset(text: string): string {
  let set = '';
  let from = 0;
  for (const { 0: sign, index } of text.matchAll(/[;:!?»«]/g)) {
    if (sign === '«') {
      const end = skipSpaces(text, index + 1);
      if (end === index + 1 || end === text.length) continue;
      set += `${text.slice(from, index + 1)}${NO_BREAK}`;
      from = end;
      continue;
    }
    const start = beforeSpaces(text, index, from);
    // A space at the beginning may belong to what stands before this text, and is a space all the same.
    if (start === index || !endsWord(text, index)) continue;
    set += `${text.slice(from, start)}${spaceBefore(sign)}`;
    from = index;
  }
  return set + text.slice(from);
}

const NO_BREAK = '\u00a0';
const NARROW_NO_BREAK = '\u202f';
const SPACES = /[\s\u00a0\u202f]/;
const MAY_FOLLOW = /[\s\u00a0\u202f<&)\]»”’"…,.;:!?]/;

function spaceBefore(sign: string): string {
  return sign === ':' || sign === '»' ? NO_BREAK : NARROW_NO_BREAK;
}

/** A sign with a letter, digit or slash behind it is no punctuation: ` ?p=1`, ` :root`. */
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
