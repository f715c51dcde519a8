import { textDirection, type TextDirection } from './text-direction.ts';

/** Noncharacters, which no text may contain: they mark the start, the end of the language, and the end of a text. */
const [START, SEPARATOR, END] = ['\uFDD0', '\uFDD1', '\uFDD2'];
const MARKS = /\uFDD0[^\uFDD1]*(?:\uFDD1|$)|\uFDD2/g;
/** The same in a URL. */
const ENCODED_MARKS = /%EF%B7%90.*?%EF%B7%91|%EF%B7%92/g;

/** Elements without child elements, then other tags and comments, then marks in texts. */
const PIECES =
  /<(script|style|textarea|title|option)\b[^]*?<\/\1>|<!--[^]*?-->|<[a-z/](?:"[^"]*"|'[^']*'|[^>"'])*>|\uFDD0([^\uFDD1]*)\uFDD1|\uFDD2/gi;

/** Marks a text for `labelBorrowedTexts`. @param lang BCP 47. */
export function markBorrowed(text: string, lang: string): string {
  return START + lang + SEPARATOR + text + END;
}

/** Removes the marks of all texts in a value. */
export function removeMarks<T>(value: T): T {
  if (typeof value === 'string') return value.replaceAll(MARKS, '') as T;
  if (Array.isArray(value)) return value.map(removeMarks) as T;
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, removeMarks(member)])) as T;
}

/**
 * Wraps each marked text in an element with its language and direction. Adds the direction to other elements in a
 * language with another one. Attributes and scripts have no language: their marks are removed.
 *
 * @param dir Direction of the page.
 */
export function labelBorrowedTexts(html: string, dir: TextDirection): string {
  const attributes = (lang: string): string => ` lang="${lang}" dir="${textDirection(lang)}"`;
  return html.replaceAll(PIECES, (piece, name?: string, lang?: string) => {
    if (lang !== undefined) return `<span${attributes(lang)}>`;
    if (piece === END) return '</span>';
    const plain = removeMarks(piece).replaceAll(ENCODED_MARKS, '');
    if (name === 'option') {
      const borrowed = /^<option[^>]*>\s*\uFDD0([^\uFDD1]*)/.exec(piece)?.[1];
      return borrowed === undefined ? plain : plain.replace('<option', `<option${attributes(borrowed)}`);
    }
    const [attribute, own = ''] = /\slang="([^"]*)"/.exec(name === undefined ? plain : '') ?? [];
    const isComplete = attribute === undefined || textDirection(own) === dir || /\sdir=/.test(plain);
    return isComplete ? plain : plain.replace(attribute, attributes(own));
  });
}
