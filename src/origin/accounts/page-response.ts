import { createHash } from 'node:crypto';
import { PAGE_STYLE } from './page-style.ts';

const STYLE_HASH = createHash('sha256').update(PAGE_STYLE).digest('base64');

/** What a page of the origin may do: show its one style sheet and send its own forms. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** A page made by `renderPage` as an answer, with the headers that keep it to itself. */
export function pageResponse(markup: string, status = 200, headers: HeadersInit = {}): Response {
  const all = new Headers({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(markup)),
    'Content-Security-Policy': POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
  });
  for (const [name, value] of new Headers(headers)) all.append(name, value);
  return new Response(markup, { status, headers: all });
}
