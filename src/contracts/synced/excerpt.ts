import { htmlText } from '../html/index.ts';

/** The end that publishing sites put behind the words that they take from a text. */
const CUT = /(?:\[…\]|\[\.{3}\])$/;
/** Some end so, and so do some editors. */
const ELLIPSIS = /(?:…|\.{3})$/;

/**
 * True if the publishing site has taken an excerpt from the text: such excerpts end anywhere, and run blocks together, as
 * tags are left out without a trace.
 */
export function isTakenFrom(excerpt: string, html: string): boolean {
  if (CUT.test(excerpt)) return true;
  const text = withoutSpaces(htmlText(html));
  return ELLIPSIS.test(excerpt)
    ? text.startsWith(withoutSpaces(excerpt.replace(ELLIPSIS, '')))
    : text === withoutSpaces(excerpt);
}

const withoutSpaces = (text: string): string => text.replaceAll(/\s/g, '');
