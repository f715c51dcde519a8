import type { Page } from 'playwright-core';

/** Returns by how many pixels a page is wider than its window. */
export function measureOverflow(tab: Page): Promise<number> {
  return tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
