import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { html, raw } from 'hono/html';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { describeSystemError, isSortimentError } from '#contracts/index.ts';
import { replaceFile } from '#files/replace-file.ts';
import { openSnapshot } from '#snapshot/index.ts';
import type { SyncLogger } from '../sync-options.ts';
import { measureTranslations, type TranslationReport } from './measure-translations.ts';
import {
  composeSections,
  createTable,
  describeRun,
  percentOf,
  renderMarkdown,
  translationSections,
  type ReportDocument,
  type ReportSection,
  type ReportTable,
  type RunResult,
} from './report-sections.ts';
import { summariseRun, totalChanges } from './sync-report.ts';

const count = z.number().nonnegative();

/** Summary of a past run. */
const pastRun = z.object({
  startedAt: z.iso.datetime(),
  outcome: z.enum(['changed', 'unchanged', 'failed']),
  /** Error code of a failed run. */
  code: z.string().optional(),
  added: count,
  changed: count,
  removed: count,
  alarms: count,
  requests: count,
  bytes: count,
  durationMs: count,
  /** Digest of the catalogue after the run. */
  digest: z.string(),
});

type PastRun = z.infer<typeof pastRun>;

const MAX_PAST_RUNS = 60;

/**
 * Reads the runs of a `history.json`, oldest first. Unreadable entries are skipped, so that the history never fails a
 * run.
 */
function readHistory(text: string | undefined): PastRun[] {
  try {
    const rows: unknown = JSON.parse(text ?? '[]');
    if (!Array.isArray(rows)) return [];
    return rows.flatMap((row) => pastRun.safeParse(row).data ?? []).slice(-MAX_PAST_RUNS);
  } catch {
    return [];
  }
}

function extendHistory(past: readonly PastRun[], { outcome, error, run }: ReportDocument): PastRun[] {
  const { startedAt, requests, bytes, durationMs, digest, alarms, counts } = run;
  const last: PastRun = {
    startedAt,
    outcome,
    ...(error && { code: error.code }),
    ...totalChanges(counts),
    alarms: alarms.length,
    requests,
    bytes,
    durationMs,
    digest,
  };
  return [...past, last].slice(-MAX_PAST_RUNS);
}

/** Sizes of the chart in SVG units. */
const WIDTH = 720;
const SLOT = WIDTH / MAX_PAST_RUNS;
const BAR = SLOT - 4;
const ROW_HEIGHT = 36;
const ROW_PITCH = 62;
const LABEL_HEIGHT = 18;

/** Values above zero stay visible. */
const MIN_BAR = 2;

const ROWS = ['added', 'changed', 'removed', 'durationMs'] as const;

export const COMPLETENESS_NAME = 'completeness.json';

/**
 * Returns the folder of the last reports: `report.json`, `report.md`, `index.html`, `history.json`, and the
 * completeness of translations in `completeness.html` and `completeness.json`.
 */
export function reportFolder({ home }: Pick<Settings, 'home'>): string {
  return path.join(home, 'report');
}

/**
 * Writes the reports of a finished or failed run. Call it while the snapshot is locked, so that no other run writes at
 * the same time. Never throws: failures are logged as warnings.
 * @returns The HTML report; undefined if the reports could not be written.
 */
export async function writeReport(
  settings: Settings,
  outcome: RunResult,
  { logger }: { logger: Pick<SyncLogger, 'warn'> },
): Promise<string | undefined> {
  const folder = reportFolder(settings);
  const page = path.join(folder, 'index.html');
  try {
    const site = settings.options.site.name;
    const document = describeRun(outcome, { site, ...readCatalogue(settings) });
    const historyFile = path.join(folder, 'history.json');
    const text = await readFile(historyFile, 'utf8').catch(() => undefined);
    const history = extendHistory(readHistory(text), document);
    await replaceFile(historyFile, `${JSON.stringify(history)}\n`);
    const { run, ...metadata } = document;
    await replaceFile(path.join(folder, 'report.json'), `${JSON.stringify({ ...metadata, ...run }, undefined, 2)}\n`);
    await replaceFile(path.join(folder, 'report.md'), renderMarkdown(document));
    await replaceFile(page, await renderHtml(document, history));
    const { translations } = document;
    if (!translations) return page;
    await replaceFile(path.join(folder, COMPLETENESS_NAME), `${JSON.stringify(translations, undefined, 2)}\n`);
    await replaceFile(path.join(folder, 'completeness.html'), await renderCompleteness(site, translations));
    return page;
  } catch (error) {
    logger.warn(
      `The report could not be written to ${folder}: ${describeSystemError(error)?.why ?? codeOf(error)}. The catalogue is not affected. Free some space or make the folder writable.`,
    );
    return undefined;
  }
}

/**
 * Reads digest and translations of the catalogue after the run. Undefined before the first successful run, or without a
 * second language.
 */
function readCatalogue({ snapshotPath, options }: Settings) {
  try {
    using snapshot = openSnapshot(snapshotPath, { readOnly: true });
    const listed = snapshot.languages().map(({ code }) => code);
    const languages = listed.filter((code) => options.languages === 'all' || options.languages.includes(code));
    const { mainLanguage } = options;
    const hasTranslations = languages.some((language) => language !== mainLanguage);
    return {
      digest: snapshot.digest(),
      translations: hasTranslations ? measureTranslations(snapshot.products(), { mainLanguage, languages }) : undefined,
    };
  } catch (error) {
    if (isSortimentError(error)) return { digest: undefined, translations: undefined };
    throw error;
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'an unexpected error';

/** Copies the last reports to another folder, such as one that a CI job uploads. Never throws. */
export async function copyReport(
  settings: Pick<Settings, 'home'>,
  folder: string,
  { logger }: { logger: Pick<SyncLogger, 'warn'> },
): Promise<void> {
  const source = reportFolder(settings);
  if (!existsSync(source)) return;
  try {
    await cp(source, folder, { recursive: true });
  } catch (error) {
    logger.warn(`The report could not be copied to ${folder}: ${codeOf(error)}.`);
  }
}

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

/** Escaped markup. */
type Html = ReturnType<typeof html>;

const STYLE_HASH = createHash('sha256').update(REPORT_STYLE).digest('base64');
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

/** Renders a self-contained page without scripts, fonts or external images. */
async function renderPage(title: string, header: Html, body: Html | Html[]): Promise<string> {
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

function renderSection({ id, title, tone, paragraphs, table }: ReportSection): Html {
  return html`<section class="${tone}">
    <h2 id="${id}">${title}</h2>
    ${paragraphs.map((text) => html`<p>${text}</p>`)} ${table ? renderTable(table, id) : ''}
  </section> `;
}

/** Renders a table that is focusable, so that the keyboard can scroll it. It is labelled by the heading above. */
function renderTable({ head, rows, omitted }: ReportTable, labelledBy: string): Html {
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

const MAX_PRODUCTS = 1000;

/** Renders which product is translated into which language, worst first. The page is not public. */
export async function renderCompleteness(site: string, report: TranslationReport): Promise<string> {
  const { products, languages, translated } = report;
  const header = html`<header>
    <h1>Translations of <bdi>${site}</bdi></h1>
    <p>${languages.map((code) => `${code}: ${percentOf(translated[code] ?? 0, products)} translated`).join(' · ')}</p>
  </header>`;
  return renderPage(`Translations of ${site}`, header, translationSections(report, MAX_PRODUCTS).map(renderSection));
}

async function renderHtml(document: ReportDocument, history: readonly PastRun[]): Promise<string> {
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
  const table = createTable(
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
    <h2 id="history">Recent runs</h2>
    ${renderChart(history)} ${table ? renderTable(table, 'history') : ''}
  </section>`;
}

/**
 * Renders the last runs, newest on the right: one row of bars per number, and a cross for a failed run. Each row has a
 * separate scale, because a first run's additions would flatten the others.
 */
function renderChart(runs: readonly PastRun[]): Html {
  const bottom = ROWS.length * ROW_PITCH;
  const height = bottom + LABEL_HEIGHT;
  const failed = runs.filter(({ outcome }) => outcome === 'failed').length;
  const first = MAX_PAST_RUNS - runs.length;
  const summary = `${runs.length} runs, ${failed} of them failed. The table below has the numbers.`;
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="chart-title chart-summary">
    <title id="chart-title">Changes and duration of recent runs</title>
    <desc id="chart-summary">${summary}</desc>
    ${runs.map((run, i) => (run.outcome === 'failed' ? renderFailure((first + i) * SLOT, height) : ''))}
    ${ROWS.map((row, i) => renderRow(row, runs, first, i * ROW_PITCH))}
    <text x="0" y="${bottom + 12}">failed: ${failed === 0 ? 'none' : failed}</text>
  </svg>`;
}

function renderFailure(left: number, height: number): Html {
  const [x, y, arm] = [left + SLOT / 2, height - 10, 4];
  return html`<rect class="failed" x="${left}" y="0" width="${SLOT}" height="${height}" /><path
      class="cross"
      d="M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}"
    />`;
}

function renderRow(field: (typeof ROWS)[number], runs: readonly PastRun[], first: number, top: number): Html {
  const isDuration = field === 'durationMs';
  const name = isDuration ? 'duration' : field;
  const max = Math.max(0, ...runs.map((run) => run[field]));
  const shownMax = isDuration ? `${(max / 1000).toFixed(1)} s` : max;
  const base = top + LABEL_HEIGHT + ROW_HEIGHT;
  const bars = runs.map((run, i) => {
    const value = run[field];
    if (value <= 0) return '';
    const height = Math.max(MIN_BAR, Math.round((value / max) * ROW_HEIGHT));
    return html`<rect
      class="${name}"
      x="${(first + i) * SLOT + 2}"
      y="${base - height}"
      width="${BAR}"
      height="${height}"
    />`;
  });
  return html`<text x="0" y="${top + 12}">${name}${max > 0 ? `, at most ${shownMax}` : ': none'}</text>
    <path class="axis" d="M0 ${base}H${WIDTH}" />${bars}`;
}
