/** Result of parsing user input. Numbers are decimal texts with a point: `1234.5`, `-0.25`. */
export type ParsedNumber =
  | { ok: true; text: string }
  | { ok: false; reason: 'empty' | 'no_number' }
  /** `1.000` is one thousand or one, depending on the visitor's conventions. */
  | { ok: false; reason: 'ambiguous'; small: string; large: string };

const MAX_CHARACTERS = 30;

/** Characters that only separate thousands: spaces and apostrophes. */
const GROUPING = String.raw`[ '’\u00a0\u2009\u202f]`;
const SPACED = new RegExp(String.raw`^\d{1,3}(${GROUPING})\d{3}(?:\1\d{3})*(?=$|[.,])`);

/**
 * Parses a number that a visitor entered, regardless of the page's language. Comma and point are both accepted as
 * decimal mark and as thousands separator. Input with two interpretations (`1.000`, `12,500`) is ambiguous, because a
 * wrong guess is wrong by a factor of 1000. The expected unit may follow the number. Other units are rejected, not
 * converted.
 */
export function parseNumberInput(input: string, unit = ''): ParsedNumber {
  const trimmed = input.trim();
  if (trimmed.length > MAX_CHARACTERS) return { ok: false, reason: 'no_number' };
  const typed = withoutUnit(toPlainDigits(trimmed), toPlainDigits(unit));
  if (typed === '') return { ok: false, reason: 'empty' };
  const [, sign = '', digits = ''] = /^([+-]?)([^+-]*)$/.exec(typed) ?? [];
  const bare = ungrouped(digits);
  if (bare === undefined) return { ok: false, reason: 'no_number' };
  const minus = sign === '-' ? '-' : '';
  if (typeof bare === 'string') return { ok: true, text: signed(minus, bare) };
  return { ok: false, reason: 'ambiguous', small: signed(minus, bare.small), large: signed(minus, bare.large) };
}

/** Normalises full-width and other digits, and minus signs. */
function toPlainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[−–]/g, '-')
    .replace(/^([+-])\s+/, '$1');
}

function withoutUnit(typed: string, unit: string): string {
  const isAtEnd = unit !== '' && typed.toLowerCase().endsWith(unit.toLowerCase());
  return isAtEnd ? typed.slice(0, -unit.length).trimEnd() : typed;
}

/**
 * Removes thousands separators. Returns both interpretations if the input is ambiguous, and undefined if it isn't a
 * number.
 */
function ungrouped(digits: string): string | { small: string; large: string } | undefined {
  const spaced = SPACED.exec(digits)?.[0];
  const rest =
    spaced === undefined ? digits : spaced.replaceAll(new RegExp(GROUPING, 'g'), '') + digits.slice(spaced.length);
  // Incomplete input while typing.
  if (/^\d+[.,]$/.test(rest)) return rest.slice(0, -1);
  const marks = rest.replaceAll(/[^.,]/g, '');
  const last = marks.at(-1) ?? '';
  if (!/^\d*(?:[.,]\d+)*$/.test(rest) || !/\d/.test(rest)) return undefined;
  if (marks === '') return rest;
  const at = rest.lastIndexOf(last);
  const [whole, decimals] = [rest.slice(0, at), rest.slice(at + 1)];
  if (marks.length === 1) {
    const small = `${whole || '0'}.${decimals}`;
    // A mark after space-separated thousands, or before more digits than a group has, is a decimal mark.
    const canBeGroup = spaced === undefined && /^[1-9]\d{0,2}$/.test(whole) && decimals.length === 3;
    return canBeGroup ? { small, large: whole + decimals } : small;
  }
  if (spaced !== undefined) return undefined;
  const first = marks.charAt(0);
  // `1.000.000`
  if (new Set(marks).size === 1) return isGrouped(rest, first) ? rest.replaceAll(first, '') : undefined;
  // `1.234,5`
  const isWhole = marks.lastIndexOf(first) === marks.length - 2 && isGrouped(whole, first);
  return isWhole ? `${whole.replaceAll(first, '')}.${decimals}` : undefined;
}

function isGrouped(text: string, mark: string): boolean {
  return new RegExp(String.raw`^\d{1,3}(?:[${mark}]\d{3})+$`).test(text);
}

/** Removes leading and trailing zeros: `007.50` -> `7.5`. */
function signed(minus: string, digits: string): string {
  const [whole = '', decimals = ''] = digits.split('.');
  const [short, rest] = [whole.replace(/^0+(?=\d)/, ''), decimals.replace(/(?<!0)0+$/, '')];
  const text = rest === '' ? short : `${short}.${rest}`;
  return text === '0' ? text : minus + text;
}

/** Formats a decimal text for an input field, with the language's decimal mark and without thousands separators. */
export function formatNumberInput(text: string, language: string): string {
  const mark = new Intl.NumberFormat(language).formatToParts(1.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  return text.replace('.', mark === ',' ? ',' : '.');
}
