import { html } from 'hono/html';
import { composeSections } from './compose-sections.ts';
import { renderChart } from './render-chart.ts';
import { renderPage, renderSection, renderTable, type Html } from './render-page.ts';
import type { ReportDocument } from './report-document.ts';
import { tableOf } from './report-section.ts';
import type { PastRun } from './run-history.ts';
import { summariseRun } from './summarise-run.ts';

/** The report of a run as a page. */
export async function renderHtml(document: ReportDocument, history: readonly PastRun[]): Promise<string> {
  const { site, outcome, run, error } = document;
  const header = html`<header class="${outcome}">
    <h1>Sync of <bdi>${site}</bdi>: ${outcome}</h1>
    <p><time datetime="${run.startedAt}">${run.startedAt}</time>${error ? ` · ${error.code}` : ''}</p>
    ${outcome === 'failed' ? '' : html`<p>${summariseRun(run)}</p>`}
  </header>`;
  return renderPage(`Sync of ${site}: ${outcome}`, header, [
    ...composeSections(document).map(renderSection),
    renderHistory(history),
  ]);
}

function renderHistory(history: readonly PastRun[]): Html {
  const table = tableOf(
    ['Started', 'Outcome', 'Added', 'Changed', 'Removed', 'Alarms', 'Requests', 'Seconds'],
    history.toReversed(),
    ({ startedAt, outcome, code, added, changed, removed, alarms, requests, durationMs }) => [
      startedAt,
      code === undefined ? outcome : `${outcome}: ${code}`,
      added,
      changed,
      removed,
      alarms,
      requests,
      Math.round(durationMs / 100) / 10,
    ],
  );
  return html`<section>
    <h2 id="history">The last runs</h2>
    ${renderChart(history)} ${table ? renderTable(table, 'history') : ''}
  </section>`;
}
