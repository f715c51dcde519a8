import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { html, raw } from 'hono/html';
import { runAside } from '#origin/platform/render/aside/index.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { loadSite, relocate } from '#origin/platform/site/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { Memo } from '#origin/platform/http/transport/index.ts';
import { findByAddress, type Addressed } from '#origin/platform/content/embeds/find-by-address.ts';
import { findThumbnail } from '#origin/platform/content/embeds/find-thumbnail.ts';
import { shownTitle } from '#origin/platform/content/embeds/present-embed.ts';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; }
article { display: grid; gap: .75rem; padding: 1rem; border: 1px solid light-dark(#d5d2ca, #3a4248); }
h1 { font-size: 1.2rem; line-height: 1.3; margin: 0; }
p { margin: 0; }
img { max-inline-size: 100%; block-size: auto; }
a { color: light-dark(#0b5f59, #6fd0c5); }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const THUMBNAIL_WIDTH = 600;

/** Any page may show it in a frame; it runs nothing, sends nothing, and shows pictures of this site only. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors *`;

/** Answers `<page>/embed/`, and `?p=<id>&embed=true` for pages without a path: a card that leads to the page. */
export function embedPages(context: OriginContext): MiddlewareHandler {
  return async (c, next) => {
    const url = new URL(c.req.raw.url);
    const isCard = /\/embed\/?$/.test(url.pathname) || url.searchParams.get('embed') === 'true';
    if (!isCard || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return next();
    const path = url.pathname.replace(/embed\/?$/, '');
    const address = `${new URL(context.publicUrl).origin}${path}${url.search}`;
    const found = await findByAddress(context, context.publicUrl, address);
    if (!found) return next();
    const body = await renderCard(context, found);
    return new Response(c.req.method === 'HEAD' ? null : body, {
      headers: {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': POLICY,
        'X-Content-Type-Options': 'nosniff',
        'X-Robots-Tag': 'noindex',
      },
    });
  };
}

async function renderCard(context: OriginContext, { row, link }: Addressed): Promise<string> {
  const [site, thumbnail] = await Promise.all([
    loadSite({ context, requestMemo: new Memo() }),
    findThumbnail(context.store.db, context.publicUrl, row, THUMBNAIL_WIDTH),
  ]);
  const here = (text: string) => relocate(text, site.url, context.publicUrl);
  const title = shownTitle(row);
  const excerpt = row.password === '' ? plainText(await runAside('excerpt', here(row.excerpt), here(row.content))) : '';
  const markup = await html`<!doctype html>
    <html>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${raw(plainText(title))} – ${site.name}</title>
        <link rel="canonical" href="${link}" />
        ${raw(`<style>${STYLE}</style>`)}
      </head>
      <body>
        <article>
          ${
            thumbnail
              ? html`<img
                  src="${thumbnail.url}"
                  width="${thumbnail.width}"
                  height="${thumbnail.height}"
                  alt="${thumbnail.alt}"
                />`
              : ''
          }
          <h1><a href="${link}" target="_top">${raw(title)}</a></h1>
          ${excerpt === '' ? '' : html`<p>${raw(excerpt)}</p>`}
          <p><a href="${context.publicUrl}/" target="_top">${site.name}</a></p>
        </article>
      </body>
    </html> `;
  return String(markup);
}
