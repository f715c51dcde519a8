import { html } from 'hono/html';

const TITLES: Readonly<Record<number, readonly [string, string]>> = {
  403: ['Forbidden', 'This address answers only to its own machine.'],
  404: ['Not Found', 'There is nothing at this address.'],
  405: ['Method Not Allowed', 'This address can only be read.'],
  500: ['Server Error', 'The server could not answer. Its log says why.'],
};

/** A small error page for people; never reveals internals. */
export function errorPage(status: number, headers: Record<string, string> = {}): Response {
  const [title, sentence] = TITLES[status] ?? ['Error', ''];
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${title}</title>
      </head>
      <body>
        <h1>${title}</h1>
        <p>${sentence}</p>
      </body>
    </html> `;
  return new Response(String(page), {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
      ...headers,
    },
  });
}
