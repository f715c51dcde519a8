import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import type { ReportSection, ReportTable } from './report-section.ts';
import { REPORT_STYLE } from './report-style.ts';

/** Markup that is escaped already. */
export type Html = ReturnType<typeof html>;

const STYLE_HASH = createHash('sha256').update(REPORT_STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** A report as one page that needs nothing else: no script, no font, no picture from elsewhere. */
export async function renderPage(title: string, header: Html, body: Html | Html[]): Promise<string> {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${raw(`<style>${REPORT_STYLE}</style>`)}
      </head>
      <body>
        <main>${header} ${body}</main>
      </body>
    </html> `;
  return String(await page);
}

export function renderSection({ id, title, tone, paragraphs, table }: ReportSection): Html {
  return html`<section class="${tone}">
    <h2 id="${id}">${title}</h2>
    ${paragraphs.map((text) => html`<p>${text}</p>`)} ${table ? renderTable(table, id) : ''}
  </section> `;
}

/** Focusable, so that the keyboard can scroll it; named by the heading above. */
export function renderTable({ head, rows, omitted }: ReportTable, labelledBy: string): Html {
  const classes = head.map((_, i) => (rows.every((row) => typeof row[i] === 'number') ? 'number' : 'text'));
  return html`<section class="table" aria-labelledby="${labelledBy}" tabindex="0">
      <table>
        <thead>
          <tr>
            ${head.map((name, i) => html`<th scope="col" class="${classes[i]}"><bdi>${name}</bdi></th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row) =>
              html`<tr>
                ${row.map((cell, i) => html`<td class="${classes[i]}"><bdi>${cell}</bdi></td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </section>
    ${omitted > 0 ? html`<p>… and ${omitted} more; the JSON beside this page lists them.</p>` : ''}`;
}
