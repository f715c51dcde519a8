import type { Page } from 'playwright-core';
import { beforeEach, expect, inject, it } from 'vitest';
import { clickAndLoad } from './click-and-load.ts';
import { shareTabs } from './share-tabs.ts';

/** The shortest way through each page with a script. The slow suite tests the same pages in detail. */

const siteUrl = inject('siteUrl');
const share = shareTabs();
let tab: Page;
let complaints: string[];

beforeEach(async () => {
  ({ tab, complaints } = await share({ locale: 'de-DE' }));
});

const soon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

it('leads from an item number in the header to its product', async () => {
  await tab.goto(`${siteUrl}/de-de/products/`);
  await tab.getByRole('banner').getByRole('searchbox').fill('hw 10110');
  await tab.keyboard.press('Enter');
  await tab.waitForURL(/\/p\/diffrana-vario-75-9524010000016\/$/);
  expect(complaints).toEqual([]);
});

it('finds a product by a synonym of its kind', async () => {
  await tab.goto(`${siteUrl}/de-de/search/?q=Dampfsperre`);
  const titles = () => tab.getByRole('main').locator('[data-hits] li').getByRole('heading').allTextContents();
  await soon(titles).toContain('DIFFRANA Vario 75');
  expect(complaints).toEqual([]);
});

it('filters a family by a declared value', async () => {
  await tab.goto(`${siteUrl}/de-de/products/roof-and-facade-membranes/`);
  await tab.getByRole('group', { name: 'Brandklasse' }).getByText('E', { exact: true }).click();
  await soon(() => tab.locator('.products tbody a').allTextContents()).toEqual([
    'DIFFRANA Dach 150',
    'DIFFRANA Sockel KSK',
  ]);
  expect(complaints).toEqual([]);
});

it('compares the products that were chosen', async () => {
  await tab.goto(`${siteUrl}/en-gb/products/adhesive-tapes/`);
  const chosen = ['KLEVENTO Uni 60', 'KLEVENTO Uni 150'];
  for (const name of chosen) await tab.getByRole('checkbox', { name: `${name} compare` }).check();
  await clickAndLoad(tab.getByRole('link', { name: 'Compare selection' }));
  await soon(() => tab.locator('.compare thead th a').allTextContents()).toEqual(chosen);
  expect(complaints).toEqual([]);
});

it('plays an episode from one of its chapters', async () => {
  await tab.goto(`${siteUrl}/en-gb/podcast/minus-five/`);
  const chapter = tab.locator('.chapter__jump').nth(2);
  const start = Number(await chapter.getAttribute('data-jump'));
  await chapter.click();
  const position = () => tab.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime);
  await soon(position).toBeGreaterThan(start + 0.2);
  const title = await chapter.locator('.chapter__title').textContent();
  await soon(() => tab.locator('[data-now]').textContent()).toBe(title);
  expect(complaints).toEqual([]);
});
