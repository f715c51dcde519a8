import { html } from 'hono/html';
import type { Html } from './render-page.ts';
import { MAX_PAST_RUNS, type PastRun } from './run-history.ts';

/** In units of the drawing. */
const WIDTH = 720;
const SLOT = WIDTH / MAX_PAST_RUNS;
const BAR = SLOT - 4;
const ROW_HEIGHT = 36;
const ROW_PITCH = 62;
const LABEL_HEIGHT = 18;
/** What is not nothing is seen. */
const MIN_BAR = 2;

interface ChartRow {
  name: string;
  valueOf: (run: PastRun) => number;
  word: (value: number) => string;
}

const ROWS: readonly ChartRow[] = [
  { name: 'added', valueOf: ({ added }) => added, word: String },
  { name: 'changed', valueOf: ({ changed }) => changed, word: String },
  { name: 'removed', valueOf: ({ removed }) => removed, word: String },
  { name: 'duration', valueOf: ({ durationMs }) => durationMs, word: (ms) => `${(ms / 1000).toFixed(1)} s` },
];

/**
 * The last runs, newest on the right: a row of bars for each number, each on a scale of its own (a first run's
 * additions would flatten everything else), and a cross below the column of a failed run.
 */
export function renderChart(runs: readonly PastRun[]): Html {
  const bottom = ROWS.length * ROW_PITCH;
  const height = bottom + LABEL_HEIGHT;
  const failed = runs.filter(({ outcome }) => outcome === 'failed').length;
  const first = MAX_PAST_RUNS - runs.length;
  const summary = `${runs.length} runs, ${failed} of them failed. The table below has the numbers.`;
  return html`<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="chart-title chart-summary">
    <title id="chart-title">What the last runs changed and how long they took</title>
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

function renderRow({ name, valueOf, word }: ChartRow, runs: readonly PastRun[], first: number, top: number): Html {
  const most = Math.max(0, ...runs.map(valueOf));
  const base = top + LABEL_HEIGHT + ROW_HEIGHT;
  const bars = runs.map((run, i) => {
    const value = valueOf(run);
    if (value <= 0) return '';
    const height = Math.max(MIN_BAR, Math.round((value / most) * ROW_HEIGHT));
    return html`<rect
      class="${name}"
      x="${(first + i) * SLOT + 2}"
      y="${base - height}"
      width="${BAR}"
      height="${height}"
    />`;
  });
  return html`<text x="0" y="${top + 12}">${name}${most > 0 ? `, at most ${word(most)}` : ': none'}</text>
    <path class="axis" d="M0 ${base}H${WIDTH}" />${bars}`;
}
