import { removeMarks } from '#contracts/borrowed-text.ts';
import { textDirection, type TextDirection } from './text-direction.ts';

/** End of a marked text. */
const END = '\uFDD2';
/** Marks in a URL. */
const ENCODED_MARKS = /%EF%B7%90.*?%EF%B7%91|%EF%B7%92/g;

/** Elements without child elements, then other tags and comments, then marks in texts. */
const PIECES =
  /<(script|style|textarea|title|option)\b[^]*?<\/\1>|<!--[^]*?-->|<[a-z/](?:"[^"]*"|'[^']*'|[^>"'])*>|\uFDD0([^\uFDD1]*)\uFDD1|\uFDD2/gi;

/** Most pieces have no mark and no language, and are returned unchanged. */
const CHANGED = /[\uFDD0\uFDD2]|%EF%B7%9|\slang=/;

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
    if (!CHANGED.test(piece)) return piece;
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
