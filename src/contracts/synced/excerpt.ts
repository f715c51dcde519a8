import { htmlText } from '../html/html-text.ts';

/** Suffix of generated excerpts. */
const CUT = /(?:\[…\]|\[\.{3}\])$/;
/** Suffix of some generated excerpts, but also of manual ones. */
const ELLIPSIS = /(?:…|\.{3})$/;

/** True if an excerpt was generated from the text. Generated excerpts end anywhere, and join blocks without spaces. */
export function isGeneratedExcerpt(excerpt: string, html: string): boolean {
  if (CUT.test(excerpt)) return true;
  const text = withoutSpaces(htmlText(html));
  return ELLIPSIS.test(excerpt)
    ? text.startsWith(withoutSpaces(excerpt.replace(ELLIPSIS, '')))
    : text === withoutSpaces(excerpt);
}

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '');
