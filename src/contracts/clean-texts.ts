/** Control characters but tabs and line ends: formats and programs that come later stumble over them. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;
const CONTROLS = new RegExp(CONTROL, 'gu');

/** A text without characters that no text has: control characters, and halves of a character. */
export function cleanText(text: string): string {
  return text.isWellFormed() && !CONTROL.test(text) ? text : text.toWellFormed().replaceAll(CONTROLS, '');
}

/** A text with one space for all white space, and none at its ends. */
export function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A value of JSON with all texts in it, names of members aside, cleaned; the value itself where there is nothing to do. */
export function cleanTexts<T>(value: T): T;
export function cleanTexts(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const cleaned = value.map((item: unknown) => cleanTexts(item));
    return cleaned.every((item, i) => item === value[i]) ? value : cleaned;
  }
  const members = Object.entries(value);
  const cleaned = members.map(([name, member]): [string, unknown] => [name, cleanTexts(member)]);
  return cleaned.every(([, member], i) => member === members[i]?.[1]) ? value : Object.fromEntries(cleaned);
}
