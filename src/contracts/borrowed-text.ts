import { mapTexts } from './scan-text.ts';

/** Noncharacters, which no text may contain: they mark the start, the end of the language, and the end of a text. */
const [START, SEPARATOR, END] = ['\uFDD0', '\uFDD1', '\uFDD2'];
const MARKS = /\uFDD0[^\uFDD1]*(?:\uFDD1|$)|\uFDD2/g;

/** Marks a text in another language than its page. `labelBorrowedTexts` labels it in HTML. @param lang BCP 47. */
export function markBorrowed(text: string, lang: string): string {
  return START + lang + SEPARATOR + text + END;
}

/** Removes the marks of all texts in a value. */
export function removeMarks<T>(value: T): T {
  return mapTexts(value, (text) => text.replaceAll(MARKS, ''));
}
