import { html } from 'hono/html';
import type { Ui } from '#i18n/index.ts';

/** The page that a moved one leaves behind where the host can't lead on by itself. @param url Its new address, absolute. */
export function renderMovedPage(ui: Ui, url: string): string {
  const page = html`<!doctype html>
    <html lang="${ui.lang}" dir="${ui.dir}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta name="color-scheme" content="light dark" />
        <meta http-equiv="refresh" content="0; url=${url}" />
        <link rel="canonical" href="${url}" />
        <title>${ui.t('moved.title')}</title>
      </head>
      <body>
        <main>
          <h1>${ui.t('moved.title')}</h1>
          <p><a href="${url}">${ui.t('moved.link')}</a></p>
        </main>
      </body>
    </html> `;
  return String(page);
}
