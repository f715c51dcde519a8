import { sanitizeLater } from '../../loaders/index.ts';

/** The words of a piece of HTML. */
export function htmlText(html: string): string {
  if (!html.includes('<')) return html;
  // A space for every tag: the end of one paragraph and the beginning of the next are two words.
  return sanitizeLater(html.replaceAll('<', ' <'), { allowedTags: [], allowedAttributes: {} })
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
