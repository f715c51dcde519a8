import { html } from 'hono/html';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { Memo } from '#origin/platform/http/transport/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

/** The relation by which clients of the publishing interface find its root from the address of the site. */
const REST_RELATION = 'https://api.w.org/';

/** The page at the origin's own address: what is served here, for people and for clients that look for the interface. */
export async function frontPage(context: OriginContext): Promise<Response> {
  const { name } = await loadSite({ context, requestMemo: new Memo() });
  const title = name === '' ? 'Origin' : name;
  const rest = `${context.publicUrl}/${context.restRoot}/`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="robots" content="noindex" />
        <link rel="${REST_RELATION}" href="${rest}" />
        <title>${title}</title>
      </head>
      <body>
        <h1>${title}</h1>
        <ul>
          <li><a href="${rest}">Publishing interface</a></li>
          <li><a href="${context.publicUrl}/${PRODUCT_ROOT}">Product interface</a></li>
          <li><a href="${context.publicUrl}/admin/">Accounts and tokens</a></li>
        </ul>
      </body>
    </html> `;
  return new Response(String(page), {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': "default-src 'none'",
      'X-Content-Type-Options': 'nosniff',
      Link: `<${rest}>; rel="${REST_RELATION}"`,
    },
  });
}
