import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, inject, it } from 'vitest';
import { findViolations } from './audit-accessibility.ts';
import { samplePages } from './page-kinds.ts';
import { listHtmlPages } from './list-html-pages.ts';
import { measureOverflow } from './measure-overflow.ts';
import { shareTabs } from './share-tabs.ts';

const siteUrl = inject('siteUrl');
const MEMBRANE = '/de-de/p/diffrana-vario-75-9524010000016/';
/** Width from which the navigation is part of the line. */
const WIDE = 78 * 16;
const kinds = Object.values(samplePages(await listHtmlPages(`${inject('projectFolder')}/dist`), 'de-de'));

const share = shareTabs();

/** Opens the menu of a phone, or the list of languages on a wide screen. */
const menuOf = (tab: Page, width: number) => {
  const id = width < WIDE ? 'site-menu' : 'language-menu';
  return { button: tab.locator(`[popovertarget="${id}"]`), menu: tab.locator(`#${id}`) };
};

describe('the header', () => {
  it.each([
    [320, 64],
    [360, 64],
    [768, 64],
    [1280, 80],
    [1440, 80],
  ])('is one line on a screen %i px wide in each language', async (width, height) => {
    const { tab } = await share({ viewport: { width, height: 740 } });
    for (const language of ['de-de', 'en-gb', 'fr-fr']) {
      await tab.goto(`${siteUrl}/${language}/`);
      const banner = tab.getByRole('banner');
      expect((await banner.boundingBox())?.height).toBeLessThanOrEqual(height);
      expect(await measureOverflow(tab)).toBe(0);
      const search = width < WIDE ? banner.locator('a[href$="/search/"]') : banner.getByRole('searchbox');
      expect(await search.isVisible()).toBe(true);
      if (width < WIDE) await menuOf(tab, width).button.click();
      for (const target of ['products', 'downloads', 'journal'])
        expect(await banner.locator(`nav a[href$="/${language}/${target}/"]`).isVisible()).toBe(true);
    }
  });
});

describe('its menu', () => {
  it.each([360, 768, 1280])('leaves no control on any kind of page half covered, %i px wide', async (width) => {
    const { tab } = await share({ viewport: { width, height: 740 } });
    const problems: string[] = [];
    let opened = 0;
    for (const page of kinds) {
      await tab.goto(siteUrl + page);
      const { button, menu } = menuOf(tab, width);
      if ((await button.count()) === 0) continue;
      await button.click();
      expect(await menu.locator('a[hreflang]').filter({ visible: true }).count()).toBe(3);
      problems.push(...(await findViolations(tab)).map((violation) => `${page}: ${violation}`));
      opened += 1;
    }
    expect(problems).toEqual([]);
    expect(opened).toBeGreaterThan(15);
  });

  it.each([
    [360, true],
    [360, false],
    [1280, true],
    [1280, false],
  ])('closes with Escape and with a click beside it (%i px, scripts: %s)', async (width, javaScriptEnabled) => {
    const { tab } = await share({ javaScriptEnabled, viewport: { width, height: 740 } });
    await tab.goto(siteUrl + MEMBRANE);
    const { button, menu } = menuOf(tab, width);
    await button.click();
    expect(await menu.locator('a').first().isVisible()).toBe(true);
    await tab.keyboard.press('Escape');
    expect(await menu.locator('a').first().isVisible()).toBe(false);
    expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    await button.press('Enter');
    expect(await menu.locator('a').first().isVisible()).toBe(true);
    await tab.keyboard.press('Tab');
    expect(await menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await tab.mouse.click(40, 700);
    expect(await menu.locator('a').first().isVisible()).toBe(false);
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
