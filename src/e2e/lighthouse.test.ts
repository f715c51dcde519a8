import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { expect, inject, it } from 'vitest';
import { BROWSER_ARGS, browserPath } from './launch-browser.ts';
import { pagesBelow } from './pages-below.ts';

const pages = await pagesBelow(`${inject('projectFolder')}/dist`);
const product = pages.find((page) => /^\/de-de\/p\/.*9524010000016\/$/.test(page)) ?? 'no product page';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];

// Scores are measured, and a busy machine measures worse: the best of three counts.
it('the product page scores 100 in all four categories of Lighthouse', { retry: 2 }, async () => {
  const chrome = await launch({
    chromePath: await browserPath(),
    chromeFlags: [...BROWSER_ARGS, '--headless=new'],
  });
  try {
    const audit = () =>
      lighthouse(inject('siteUrl') + product, { port: chrome.port, onlyCategories: CATEGORIES, logLevel: 'error' });
    await audit(); // the first visit of a cold browser is not scored
    const result = (await audit())?.lhr;
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
  } finally {
    chrome.kill();
  }
});
