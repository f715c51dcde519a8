import { foldText } from '../languages/sort-key.ts';

/** Sections of names that start with a digit, and with neither a letter nor a digit. */
export const DIGITS_SECTION = '0-9';
export const OTHER_SECTION = 'other';

/**
 * Returns the section of a name in an A-Z list, as a URL segment: `d`. A non-Latin letter is represented by its code
 * point: `u0436`.
 */
export function directorySection(name: string): string {
  const [first = ''] = foldText(name);
  if (/[a-z]/.test(first)) return first;
  if (/\p{Nd}/u.test(first)) return DIGITS_SECTION;
  if (/\p{Letter}/u.test(first)) return `u${(first.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
  return OTHER_SECTION;
}

/** Returns the display form of a section. It is undefined for `other`, which has a translated label. */
export function sectionLetter(section: string): string | undefined {
  if (section === OTHER_SECTION) return undefined;
  const code = /^u([0-9a-f]{4,})$/.exec(section)?.[1];
  return (code === undefined ? section : String.fromCodePoint(Number.parseInt(code, 16))).toUpperCase();
}
