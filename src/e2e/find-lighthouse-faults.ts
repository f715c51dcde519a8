import type * as ChromeLauncher from 'chrome-launcher';
import type * as Lighthouse from 'lighthouse';
import { loadAuditTool } from '#files/testing/audit-tools.ts';
import { BROWSER_ARGS, browserPath } from './launch-browser.ts';

const { launch } = loadAuditTool<typeof ChromeLauncher>('chrome-launcher');
const { default: lighthouse } = loadAuditTool<typeof Lighthouse>('lighthouse');

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

export async function launchChrome(): Promise<ChromeLauncher.LaunchedChrome> {
  return launch({ chromePath: await browserPath(), chromeFlags: [...BROWSER_ARGS, '--headless=new'] });
}

/** Returns scores below 100 and failed audits of performance; with a low score, all failed audits. */
export async function findLighthouseFaults({ port }: ChromeLauncher.LaunchedChrome, url: string): Promise<string[]> {
  const result = await lighthouse(url, { port, onlyCategories: CATEGORIES, logLevel: 'error', ...SOON });
  if (!result) throw new Error(`Lighthouse has nothing to say of ${url}.`);
  const { categories, audits } = result.lhr;
  const low = SCORED.map((category) => `${category}: ${(categories[category]?.score ?? 0) * 100}`).filter(
    (text) => !text.endsWith(': 100'),
  );
  return [...low, ...listFailed(low.length > 0 ? Object.keys(audits) : FAST, audits)];
}

/** Audits that don't apply have no score. */
function listFailed(ids: readonly string[], audits: Lighthouse.RunnerResult['lhr']['audits']): string[] {
  return ids
    .filter((id) => {
      const audit = audits[id];
      return !audit || (audit.score !== null && audit.score < 1);
    })
    .map((id) => `${id} ${audits[id]?.displayValue ?? ''}`);
}
