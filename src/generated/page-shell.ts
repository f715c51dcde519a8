import { findSpans, findTags } from '#contracts/index.ts';
import { escapeHtml } from '#contracts/html/index.ts';

/** What every page may load; Astro adds the hashes of its own styles and scripts. */
export const CONTENT_POLICY = [
  "default-src 'self'",
  "base-uri 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "object-src 'none'",
] as const;

/** What stands around a page that is made without Astro. */
export interface PageShell {
  /** Names the shell: pages in another one are others. */
  key: string;
  wrap(page: ShellPage): string;
}

export interface ShellPage {
  /** BCP 47. */
  lang: string;
  title: string;
  /** HTML of more of the head. */
  head: string;
  /** HTML of what the page is about. */
  main: string;
}

/** The page for the choice of a language, which stands outside of all of them. */
export const SHELL_PAGE = 'index.html';

/**
 * The same look as Astro's pages have: stylesheets, icons and header of one of them.
 * @param model HTML of that page.
 */
export function pageShell(model: string, siteName: string): PageShell {
  const [head = '', body = ''] = model.split('</head>');
  const links = tagsOf(head, /<link\s/, /rel="(?:stylesheet|icon|preload)"/);
  const colours = tagsOf(head, /<meta\s/, /name="theme-color"/);
  const bodyTag = tagsOf(body, /<body/, /^/)[0] ?? '<body>';
  const header = headerOf(body);
  const policy = `<meta http-equiv="content-security-policy" content="${CONTENT_POLICY.join(';')}">`;
  const around = [...links, ...colours, policy].join('');
  return {
    key: JSON.stringify([around, bodyTag, header, siteName]),
    wrap: ({ lang, title, head: more, main }) =>
      `<!DOCTYPE html><html lang="${escapeHtml(lang)}"><head><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width"><title>${escapeHtml(`${title} · ${siteName}`)}</title>` +
      `${more}${around}</head>${bodyTag}${header}<main id="main" class="wrap">${main}</main></body></html>\n`,
  };
}

function tagsOf(html: string, opening: RegExp, holds: RegExp): string[] {
  return [...findTags(html, opening)].map(({ source }) => source).filter((tag) => holds.test(tag));
}

function headerOf(body: string): string {
  const { value: header } = findSpans(body, /<header/, /<\/header>/).next();
  return header ? body.slice(header.start, header.end).replace(' aria-current="page"', '') : '';
}
