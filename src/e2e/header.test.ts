import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, inject, it } from 'vitest';
import { findViolations } from './audit-accessibility.ts';
import { samplePages } from './page-kinds.ts';
import { listHtmlPages } from './list-html-pages.ts';
import { shareTabs } from './share-tabs.ts';

const siteUrl = inject('siteUrl');
const MEMBRANE = '/de-de/p/diffrana-vario-75-9524010000016/';
const kinds = Object.values(samplePages(await listHtmlPages(`${inject('projectFolder')}/dist`), 'de-de'));

const share = shareTabs();
const menuOf = (tab: Page) => ({
  button: tab.getByRole('banner').locator('.languages button'),
  list: tab.locator('#language-menu'),
});

describe('the menu of languages', () => {
  it.each([360, 1280])('leaves no control on any kind of page half covered, %i px wide', async (width) => {
    const { tab } = await share({ viewport: { width, height: 740 } });
    const problems: string[] = [];
    let opened = 0;
    for (const page of kinds) {
      await tab.goto(siteUrl + page);
      const { button, list } = menuOf(tab);
      if ((await button.count()) === 0) continue;
      await button.click();
      expect(await list.getByRole('link').count()).toBe(3);
      problems.push(...(await findViolations(tab)).map((violation) => `${page}: ${violation}`));
      opened += 1;
    }
    expect(problems).toEqual([]);
    expect(opened).toBeGreaterThan(15);
  });

  it.each([true, false])('closes with Escape and with a click beside it (scripts: %s)', async (javaScriptEnabled) => {
    const { tab } = await share({ javaScriptEnabled });
    await tab.goto(siteUrl + MEMBRANE);
    const { button, list } = menuOf(tab);
    await button.click();
    expect(await list.isVisible()).toBe(true);
    await tab.keyboard.press('Escape');
    expect(await list.isVisible()).toBe(false);
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.press('Enter');
    expect(await list.isVisible()).toBe(true);
    await tab.keyboard.press('Tab');
    expect(await tab.evaluate(() => document.activeElement?.closest('ul')?.id)).toBe('language-menu');
    await tab.getByRole('heading', { level: 1 }).click();
    expect(await list.isVisible()).toBe(false);
  });
});

/** Returns the share of text-dark pixels in an area, by line. */
async function darkness(tab: Page, clip: { x: number; y: number; width: number; height: number }): Promise<number[]> {
  const { data, info } = await sharp(await tab.screenshot({ clip }))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Array.from({ length: info.height }, (_, y) => {
    const row = data.subarray(y * info.width * info.channels, (y + 1) * info.width * info.channels);
    return row.filter((value) => value < 100).length / row.length;
  });
}

async function visitForced(page: string): Promise<Page> {
  const { tab } = await share({ forcedColors: 'active', colorScheme: 'light' });
  await tab.goto(siteUrl + page);
  return tab;
}

describe('in colours that the reader chooses', () => {
  it('the line below the header has no gaps', async () => {
    const tab = await visitForced(MEMBRANE);
    const { y = 0, height = 0 } = (await tab.getByRole('banner').boundingBox()) ?? {};
    const lines = await darkness(tab, { x: 0, y: Math.round(y + height) - 3, width: 1280, height: 4 });
    expect(Math.max(...lines)).toBe(1);
  });

  it('a product keeps its crop marks', async () => {
    const tab = await visitForced(MEMBRANE);
    const { x = 0, y = 0 } = (await tab.locator('.plate').boundingBox()) ?? {};
    // Both marks of a corner, which start 10 px outside of the image and are 20 px long.
    const corner = await darkness(tab, { x: x - 11, y: y - 11, width: 22, height: 22 });
    expect(Math.max(...corner)).toBeGreaterThan(0.8);
    expect(corner.filter((share) => share > 0).length).toBeGreaterThan(18);
  });
});
