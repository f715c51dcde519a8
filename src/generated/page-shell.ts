import { findSpans, findTags } from '#contracts/index.ts';
import { escapeHtml } from '#contracts/html/html-text.ts';

/** Content security policy of every page. Astro adds the hashes of its styles and scripts. */
export const CONTENT_POLICY = [
  "default-src 'self'",
  "base-uri 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "object-src 'none'",
] as const;

/** Layout of pages that are generated without Astro. */
export type PageShell = ReturnType<typeof pageShell>;

/**
 * Creates a layout from the stylesheets, icons and header of an Astro page.
 * @param model HTML of that page.
 */
export function pageShell(model: string, siteName: string) {
  const [head = '', body = ''] = model.split('</head>');
  const links = tagsOf(head, /<link\s/, /rel="(?:stylesheet|icon|preload)"/);
  const colours = tagsOf(head, /<meta\s/, /name="theme-color"/);
  const bodyTag = tagsOf(body, /<body/, /^/)[0] ?? '<body>';
  const header = headerOf(body);
  const policy = `<meta http-equiv="content-security-policy" content="${CONTENT_POLICY.join(';')}">`;
  const around = [...links, ...colours, policy].join('');
  return {
    /** Key of the layout. Pages are rewritten if it changes. */
    key: JSON.stringify([around, bodyTag, header, siteName]),
    /** @param page `lang`: BCP 47. `head`: additional HTML of the head. */
    wrap: ({ lang, title, head: more, main }: Record<'lang' | 'title' | 'head' | 'main', string>): string =>
      `<!DOCTYPE html><html lang="${escapeHtml(lang)}"><head><meta charset="utf-8">` +
      `<meta name="viewport" content="width=device-width"><title>${escapeHtml(`${title} · ${siteName}`)}</title>` +
      `${more}${around}</head>${bodyTag}${header}<main id="main" class="wrap">${main}</main></body></html>\n`,
  };
}

function tagsOf(html: string, opening: RegExp, required: RegExp): string[] {
  return [...findTags(html, opening)].map(({ source }) => source).filter((tag) => required.test(tag));
}

function headerOf(body: string): string {
  const { value: header } = findSpans(body, /<header/, /<\/header>/).next();
  return header ? body.slice(header.start, header.end).replace(' aria-current="page"', '') : '';
}
