import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { percentOf } from './format-report.ts';
import type { TranslationGap, TranslationReport } from './measure-translations.ts';
import { type ReportSection, type ReportTable, createTable } from './report-document.ts';

/** The only style sheet of the page; its digest is in the content security policy. */
const REPORT_STYLE = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#fff, #121417);
  --plate: light-dark(#f2f4f4, #1b1f23);
  --ink: light-dark(#14171a, #eceae6);
  --rule: light-dark(#d5d9db, #343a40);
  --good: light-dark(#1d7a44, #5fc98a);
  --fair: light-dark(#8f5b00, #e5b04c);
  --bad: light-dark(#b3261e, #ff8f85);
  --calm: light-dark(#2f5f8a, #7fb2dd);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin-inline: auto; padding: 1.5rem; }
h1 { font-size: 1.625rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.25rem; line-height: 1.3; margin: 2rem 0 0.5rem; }
p { margin: 0.5rem 0; overflow-wrap: anywhere; }
header { border-inline-start: 0.375rem solid var(--calm); padding-inline-start: 1rem; }
header.changed { border-color: var(--good); }
header.failed { border-color: var(--bad); }
section.alarm { margin-top: 1.5rem; padding: 0.25rem 1rem 0.75rem; border: 0.1875rem solid var(--bad); }
section.alarm h2 { margin-top: 0.5rem; color: var(--bad); }
.table { width: fit-content; max-width: 100%; overflow: auto; max-height: 32rem; border: 1px solid var(--rule); }
.table:focus-visible { outline: 0.1875rem solid var(--calm); outline-offset: 0.125rem; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { padding: 0.375rem 0.625rem; border-bottom: 1px solid var(--rule); text-align: start; vertical-align: top; }
th { background: var(--plate); position: sticky; top: 0; white-space: nowrap; }
td { max-width: 28rem; overflow-wrap: anywhere; min-width: 4rem; }
.number { text-align: end; font-variant-numeric: tabular-nums; }
svg { display: block; width: 100%; height: auto; margin-block: 1rem; font: 12px system-ui, sans-serif; }
svg text { fill: var(--ink); }
.axis { stroke: var(--rule); }
rect.added { fill: var(--good); }
rect.changed { fill: var(--calm); }
rect.removed { fill: var(--fair); }
rect.duration { fill: var(--ink); }
rect.failed { fill: var(--bad); opacity: 0.15; }
.cross { stroke: var(--bad); stroke-width: 2; fill: none; }
@media print { .table { max-height: none; } }
`;

const MAX_PRODUCTS = 1000;

const COMPLETE = '✓';

/** Escaped markup. */
export type Html = ReturnType<typeof html>;

const STYLE_HASH = createHash('sha256').update(REPORT_STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** Renders a self-contained page without scripts, fonts or external images. */
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

/** Renders a table that is focusable, so that the keyboard can scroll it. It is labelled by the heading above. */
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
    ${omitted > 0 ? html`<p>… and ${omitted} more; see the JSON file next to this page.</p>` : ''}`;
}

/** Renders which product is translated into which language, worst first. The page is not public. */
export async function renderCompleteness(site: string, report: TranslationReport): Promise<string> {
  const { mainLanguage, products, languages, translated } = report;
  const title = `Translations of ${site}`;
  const header = html`<header>
    <h1>Translations of <bdi>${site}</bdi></h1>
    <p>
      ${products} products, measured against ${mainLanguage}: fields that are filled there but not in another language
      are missing.
    </p>
    <p>${languages.map((code) => `${code}: ${percentOf(translated[code] ?? 0, products)} translated`).join(' · ')}</p>
  </header>`;
  return renderPage(title, header, [fieldSection(report), productSection(report)].map(renderSection));
}

function fieldSection({ mainLanguage, languages, fields }: TranslationReport): ReportSection {
  const table = createTable(['Field', mainLanguage, ...languages], fields, ({ field, inMain, filled }) => [
    field,
    inMain,
    ...languages.map((code) => percentOf(filled[code] ?? 0, inMain)),
  ]);
  const paragraphs = table ? [] : ['No fields to translate.'];
  return { id: 'fields', title: 'By field', tone: 'plain', paragraphs, table };
}

/** Creates a row for each incomplete product and a column for each language. */
function productSection({ languages, gaps, gapCount }: TranslationReport): ReportSection {
  const byProduct = [...Map.groupBy(gaps, ({ gtin }) => gtin).values()];
  const table = createTable(
    ['GTIN', 'Name', ...languages],
    byProduct,
    (rows) => [rows[0]?.gtin ?? '', rows[0]?.name ?? '', ...languages.map((code) => formatCell(rows, code))],
    MAX_PRODUCTS,
  );
  const more = gapCount - gaps.length;
  const paragraphs = [
    table
      ? `${COMPLETE} means complete; other cells list the missing fields.`
      : 'Every product is complete in every language.',
    ...(more > 0 ? [`${more} more gaps are not listed.`] : []),
  ];
  return { id: 'products', title: 'By product', tone: 'plain', paragraphs, table };
}

function formatCell(gaps: readonly TranslationGap[], code: string): string {
  const gap = gaps.find(({ language }) => language === code);
  if (!gap) return COMPLETE;
  return gap.state === 'untranslated' ? 'not translated' : gap.missing.join(', ');
}
