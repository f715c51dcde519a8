/** Control characters but tabs and line ends: formats and programs that come later stumble over them. */
// oxlint-disable-next-line no-control-regex -- `\p{Cc}` takes longer, and every text of every record is looked at.
const CONTROL = /[\0-\x08\v\f\x0E-\x1F\x7F-\x9F]/;
const CONTROLS = new RegExp(CONTROL, 'g');

/** A text without characters that no text has: control characters, and halves of a character. */
export function cleanText(text: string): string {
  return isClean(text) ? text : text.toWellFormed().replaceAll(CONTROLS, '');
}

/** White space that isn't a single space between words. */
const UNEVEN = /[^\S ]|\s\s|^\s|\s$/;

/** A text with one space for all white space, and none at its ends. */
export function onOneLine(text: string): string {
  return UNEVEN.test(text) ? text.replace(/\s+/g, ' ').trim() : text;
}

/** A value of JSON with all texts in it, names of members aside, cleaned; the value itself where there is nothing to do. */
export function cleanTexts<T>(value: T): T;
export function cleanTexts(value: unknown): unknown {
  // Almost every value is clean, and then nothing is copied.
  return isClean(value) ? value : cleaned(value);
}

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !CONTROL.test(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isClean);
}

/** Parts that are clean stay themselves. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(cleaned);
    return items.every((item, i) => item === value[i]) ? value : items;
  }
  const members = Object.entries(value);
  const copy = members.map(([name, member]): [string, unknown] => [name, cleaned(member)]);
  return copy.every(([, member], i) => member === members[i]?.[1]) ? value : Object.fromEntries(copy);
}
