import { html } from 'hono/html';

const TITLES: Readonly<Record<number, readonly [string, string]>> = {
  403: ['Forbidden', 'This address is only available on the server itself.'],
  404: ['Not Found', 'There is no page at this address.'],
  405: ['Method Not Allowed', 'This address is read-only.'],
  500: ['Server Error', 'Something went wrong. The server log has the details.'],
};

/** Renders a small error page without internals. */
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
