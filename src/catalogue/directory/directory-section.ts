import { foldText } from '../languages/sort-key.ts';

/** Section of what begins with a digit, and of what begins with neither a letter nor a digit. */
export const DIGITS_SECTION = '0-9';
export const OTHER_SECTION = 'other';

/**
 * The letter of an A-Z list that a name stands under, as it stands in addresses: `d`; a letter of another script than
 * the Latin one by its code, `u0436`.
 */
export function directorySection(name: string): string {
  const [first = ''] = foldText(name);
  if (/[a-z]/.test(first)) return first;
  if (/\p{Nd}/u.test(first)) return DIGITS_SECTION;
  if (/\p{Letter}/u.test(first)) return `u${(first.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  return OTHER_SECTION;
}

/** The section as it is shown; undefined for `other`, which each language has a word for. */
export function sectionLetter(section: string): string | undefined {
  if (section === OTHER_SECTION) return undefined;
  const code = /^u([0-9a-f]{4,})$/.exec(section)?.[1];
  return (code === undefined ? section : String.fromCodePoint(Number.parseInt(code, 16))).toUpperCase();
}
