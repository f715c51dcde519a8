import type * as ChromeLauncher from 'chrome-launcher';
import type * as Lighthouse from 'lighthouse';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { loadAuditTool } from '#files/testing/audit-tools.ts';
import { BROWSER_ARGS, browserPath } from './launch-browser.ts';
import { samplePages, type PageKindName } from './page-kinds.ts';
import { listHtmlPages } from './list-html-pages.ts';

const { launch } = loadAuditTool<typeof ChromeLauncher>('chrome-launcher');
const { default: lighthouse } = loadAuditTool<typeof Lighthouse>('lighthouse');

const samples = samplePages(await listHtmlPages(`${inject('projectFolder')}/dist`), 'de-de');
const KINDS: PageKindName[] = [
  'product',
  'home',
  'family',
  'article',
  'norm',
  'downloads',
  'episode',
  'podcast',
  'search',
];
/** Searches, so that the page has results. */
const QUERIES: Partial<Record<PageKindName, string>> = { search: '?q=Klebeband' };
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

/** Performance is only scored in a soak, with an otherwise idle machine. */
const SCORED = process.env['SORTIMENT_SOAK'] ? CATEGORIES : CATEGORIES.filter((category) => category !== 'performance');
/** Audits of performance that don't depend on the machine. */
const FAST = [
  'cumulative-layout-shift',
  'dom-size-insight',
  'duplicated-javascript-insight',
  'font-display-insight',
  'image-delivery-insight',
  'lcp-discovery-insight',
  'legacy-javascript-insight',
  'non-composited-animations',
  'redirects',
  'third-parties-insight',
  'total-byte-weight',
  'unminified-css',
  'unminified-javascript',
  'unsized-images',
  'unused-css-rules',
  'unused-javascript',
  'viewport-insight',
];

/** Local pages load quickly, and no score needs a full-page screenshot. */
const SOON = {
  disableFullPageScreenshot: true,
  pauseAfterFcpMs: 250,
  pauseAfterLoadMs: 250,
  networkQuietThresholdMs: 250,
  cpuQuietThresholdMs: 250,
};

let chrome: ChromeLauncher.LaunchedChrome;
beforeAll(async () => {
  chrome = await launch({ chromePath: await browserPath(), chromeFlags: [...BROWSER_ARGS, '--headless=new'] });
  // The first visit of a cold browser isn't scored.
  if (SCORED.includes('performance')) await audit('product', ['seo']);
});
afterAll(() => chrome.kill());

// Scores vary: the best of three counts. All kinds in a soak; axe always checks all of them.
it.each(process.env['SORTIMENT_SOAK'] ? KINDS : KINDS.filter((kind) => ['product', 'episode'].includes(kind)))(
  'the %s page scores 100 in Lighthouse',
  { retry: 2 },
  async (kind) => {
    const { categories, audits } = await audit(kind);
    const scores = SCORED.map((category) => [category, (categories[category]?.score ?? 0) * 100]);
    expect(scores, describeMissed(Object.keys(audits), audits)).toEqual(SCORED.map((category) => [category, 100]));
    expect(describeMissed(FAST, audits)).toBe('');
  },
);

async function audit(kind: PageKindName, onlyCategories: string[] = CATEGORIES) {
  const url = `${inject('siteUrl')}${samples[kind] ?? `/no-${kind}-page/`}${QUERIES[kind] ?? ''}`;
  const flags = { port: chrome.port, onlyCategories, logLevel: 'error', ...SOON } as const;
  const result = await lighthouse(url, flags);
  if (!result) throw new Error(`Lighthouse has nothing to say of ${url}.`);
  return result.lhr;
}

/** Audits that don't apply have no score. */
function describeMissed(ids: readonly string[], audits: Lighthouse.RunnerResult['lhr']['audits']): string {
  const missed = ids.filter((id) => {
    const audit = audits[id];
    return !audit || (audit.score !== null && audit.score < 1);
  });
  return missed.map((id) => `${id} ${audits[id]?.displayValue ?? ''}`).join('\n');
}
