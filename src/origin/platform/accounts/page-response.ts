import { createHash } from 'node:crypto';
import { PAGE_STYLE } from './page-style.ts';

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** What a page of the origin may do: show its one style sheet and send its own forms. */
function policy(formTargets: readonly string[]): string {
  const targets = ["'self'", ...formTargets].join(' ');
  return `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`;
}

/**
 * A page made by `renderPage` as an answer, with the headers that keep it to itself.
 *
 * @param formTargets where else its forms may lead, redirects included: origins, or schemes with their colon
 */
export function pageResponse(
  markup: string,
  status = 200,
  headers: HeadersInit = {},
  formTargets: readonly string[] = [],
): Response {
  const all = new Headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(markup)),
    'Content-Security-Policy': policy(formTargets),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  });
  for (const [name, value] of new Headers(headers)) {
    if (name === 'set-cookie') all.append(name, value);
    else all.set(name, value);
  }
  return new Response(markup, { status, headers: all });
}
