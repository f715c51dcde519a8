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

/** Cleans all texts in a JSON value, except property names. Returns the same value if there is nothing to clean. */
export function cleanTexts<T>(value: T): T;
export function cleanTexts(value: unknown): unknown {
  // Almost every value is clean; those are not copied.
  return isClean(value) ? value : cleaned(value);
}

function isClean(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !CONTROL.test(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isClean);
}

/** Reuses clean parts of the value. */
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
