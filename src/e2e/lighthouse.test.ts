import { launch, type LaunchedChrome } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { BROWSER_ARGS, browserPath } from './launch-browser.ts';
import { samplePages, type PageKindName } from './page-kinds.ts';
import { pagesBelow } from './pages-below.ts';

const samples = samplePages(await pagesBelow(`${inject('projectFolder')}/dist`), 'de-de');
const KINDS: PageKindName[] = ['product', 'home', 'family', 'article', 'norm', 'downloads'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

/** Static pages from the same machine are soon there, and no score needs the picture of a whole page. */
const SOON = {
  disableFullPageScreenshot: true,
  pauseAfterFcpMs: 250,
  pauseAfterLoadMs: 250,
  networkQuietThresholdMs: 250,
  cpuQuietThresholdMs: 250,
};

let chrome: LaunchedChrome;
beforeAll(async () => {
  chrome = await launch({ chromePath: await browserPath(), chromeFlags: [...BROWSER_ARGS, '--headless=new'] });
  // The first visit of a cold browser is not scored.
  await audit('product', ['seo']);
});
afterAll(() => chrome.kill());

// Scores are measured, and a busy machine measures worse: the best of three counts.
it.each(KINDS)('the %s page scores 100 in all four categories of Lighthouse', { retry: 2 }, async (kind) => {
  const result = await audit(kind);
  const scores = Object.fromEntries(
    CATEGORIES.map((category) => [category, (result?.categories[category]?.score ?? 0) * 100]),
  );
  const missed = Object.values(result?.audits ?? {})
    .filter(({ score }) => score !== null && score < 1)
    .map(({ id, displayValue }) => `${id} ${displayValue ?? ''}`);
  expect({ scores, missed: Object.values(scores).every((score) => score === 100) ? [] : missed }).toEqual({
    scores: Object.fromEntries(CATEGORIES.map((category) => [category, 100])),
    missed: [],
  });
});

async function audit(kind: PageKindName, onlyCategories: string[] = CATEGORIES) {
  const url = `${inject('siteUrl')}${samples[kind] ?? `/no-${kind}-page/`}`;
  const flags = { port: chrome.port, onlyCategories, logLevel: 'error', ...SOON } as const;
  return (await lighthouse(url, flags))?.lhr;
}
