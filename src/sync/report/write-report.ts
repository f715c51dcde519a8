import { readFile, cp } from 'node:fs/promises';
import path from 'node:path';
import { existsSync } from 'node:fs';
import { html } from 'hono/html';
import type { Settings } from '#config/index.ts';
import { isSortimentError, describeSystemError } from '#contracts/index.ts';
import { replaceFile } from '#files/replace-file.ts';
import { openSnapshot } from '#snapshot/index.ts';
import type { SyncLogger } from '../sync-options.ts';
import { composeSections, renderMarkdown } from './compose-sections.ts';
import { measureTranslations, type TranslationReport } from './measure-translations.ts';
import { renderCompleteness, renderPage, renderSection, renderTable, type Html } from './render-page.ts';
import { describeRun, type ReportDocument, type RunResult, createTable } from './report-document.ts';
import { summariseRun, totalChanges } from './sync-report.ts';
import { z } from 'zod';

/** Summary of a past run. */
const pastRun = z.object({
  /** ISO. */
  startedAt: z.iso.datetime(),
  outcome: z.enum(['changed', 'unchanged', 'failed']),
  /** Error code of a failed run. */
  code: z.string().optional(),
  added: z.int().nonnegative(),
  changed: z.int().nonnegative(),
  removed: z.int().nonnegative(),
  alarms: z.int().nonnegative(),
  requests: z.int().nonnegative(),
  bytes: z.int().nonnegative(),
  durationMs: z.number().nonnegative(),
  /** Digest of the catalogue after the run. */
  digest: z.string(),
});

type PastRun = z.infer<typeof pastRun>;

/** Number of runs in the history. */
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

/** Appends a run to the history. */
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

/** Width in SVG units. */
const WIDTH = 720;

const SLOT = WIDTH / MAX_PAST_RUNS;

const BAR = SLOT - 4;

const ROW_HEIGHT = 36;

const ROW_PITCH = 62;

const LABEL_HEIGHT = 18;

/** Values above zero stay visible. */
const MIN_BAR = 2;

const ROWS: readonly ChartRow[] = [
  { name: 'added', valueOf: ({ added }) => added, format: String },
  { name: 'changed', valueOf: ({ changed }) => changed, format: String },
  { name: 'removed', valueOf: ({ removed }) => removed, format: String },
  { name: 'duration', valueOf: ({ durationMs }) => durationMs, format: (ms) => `${(ms / 1000).toFixed(1)} s` },
];

/** Name of the `TranslationReport` in the report folder. */
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
    const history = extendHistory(readHistory(await readText(historyFile)), document);
    await replaceFile(historyFile, `${JSON.stringify(history)}\n`);
    await replaceFile(path.join(folder, 'report.json'), `${JSON.stringify(flatten(document), undefined, 2)}\n`);
    await replaceFile(path.join(folder, 'report.md'), renderMarkdown(document));
    await replaceFile(page, await renderHtml(document, history));
    const { translations } = document;
    if (!translations) return page;
    await replaceFile(path.join(folder, COMPLETENESS_NAME), `${JSON.stringify(translations, undefined, 2)}\n`);
    await replaceFile(path.join(folder, 'completeness.html'), await renderCompleteness(site, translations));
    return page;
  } catch (error) {
    logger.warn(
      `The report could not be written to ${folder}: ${describeFailure(error)}. The catalogue is not affected. Free some space or make the folder writable.`,
    );
    return undefined;
  }
}

/** Merges the fields of the run's report with its metadata. */
function flatten({ run, ...rest }: ReportDocument): object {
  return { ...rest, ...run };
}

/**
 * Reads digest and translations of the catalogue after the run. Undefined before the first successful run, or without a
 * second language.
 */
function readCatalogue({ snapshotPath, options }: Settings): {
  digest: string | undefined;
  translations: TranslationReport | undefined;
} {
  let snapshot;
  try {
    snapshot = openSnapshot(snapshotPath, { readOnly: true });
  } catch (error) {
    if (isSortimentError(error)) return { digest: undefined, translations: undefined };
    throw error;
  }
  try {
    const listed = snapshot.languages().map(({ code }) => code);
    const languages = listed.filter((code) => options.languages === 'all' || options.languages.includes(code));
    const { mainLanguage } = options;
    const hasTranslations = languages.some((language) => language !== mainLanguage);
    return {
      digest: snapshot.digest(),
      translations: hasTranslations ? measureTranslations(snapshot.products(), { mainLanguage, languages }) : undefined,
    };
  } finally {
    snapshot.close();
  }
}

async function readText(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}

function describeFailure(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unexpected error';
  return describeSystemError(error)?.why ?? code;
}

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
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'an unexpected error';
    logger.warn(`The report could not be copied to ${folder}: ${code}.`);
  }
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

interface ChartRow {
  name: string;
  valueOf: (run: PastRun) => number;
  format: (value: number) => string;
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

function renderRow({ name, valueOf, format }: ChartRow, runs: readonly PastRun[], first: number, top: number): Html {
  const max = Math.max(0, ...runs.map(valueOf));
  const base = top + LABEL_HEIGHT + ROW_HEIGHT;
  const bars = runs.map((run, i) => {
    const value = valueOf(run);
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
  return html`<text x="0" y="${top + 12}">${name}${max > 0 ? `, at most ${format(max)}` : ': none'}</text>
    <path class="axis" d="M0 ${base}H${WIDTH}" />${bars}`;
}
