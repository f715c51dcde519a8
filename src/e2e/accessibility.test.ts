import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { launchBrowser } from './launch-browser.ts';
import { pagesBelow } from './pages-below.ts';

const siteUrl = inject('siteUrl');
const pages = await pagesBelow(`${inject('projectFolder')}/dist`);
const first = (pattern: RegExp): string => pages.find((page) => pattern.test(page)) ?? `no page matches ${pattern}`;

const KINDS = {
  'language chooser': '/',
  home: '/de-de/',
  'product list': '/en-gb/products/',
  family: first(/^\/fr-fr\/products\/[^/]+\/$/),
  product: first(/^\/de-de\/p\/.*9524010000184\/$/),
  'product without image or price': first(/^\/fr-fr\/p\/.*0412345000018\/$/),
  journal: '/fr-fr/journal/',
  post: first(/^\/de-de\/journal\/[^/]+\/$/),
  page: first(/^\/en-gb\/company\/[^/]+\/$|^\/en-gb\/company\/$/),
  'local page': '/de-de/imprint/',
  'not found': '/404.html',
};

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe.each(['light', 'dark'] as const)('in the %s scheme', (colorScheme) => {
  it.each(Object.entries(KINDS))('the %s page meets WCAG 2.2 AA', async (_, page) => {
    const context = await browser.newContext({ colorScheme });
    try {
      const tab = await context.newPage();
      expect((await tab.goto(siteUrl + page))?.ok()).toBe(true);
      const { violations } = await new AxeBuilder({ page: tab })
        .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
        .analyze();
      expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
    } finally {
      await context.close();
    }
  });
});

it('keeps every page kind within a phone’s width', async () => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const tab = await context.newPage();
  for (const page of Object.values(KINDS)) {
    await tab.goto(siteUrl + page);
    const overflow = await tab.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow, page).toBeLessThanOrEqual(0);
  }
  await context.close();
});
