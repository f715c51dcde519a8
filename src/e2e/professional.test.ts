import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { clickAndLoad } from './click-and-load.ts';
import { launchBrowser } from './launch-browser.ts';

const siteUrl = inject('siteUrl');

let browser: Browser;
let tab: Page;
const complaints: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  const context = await browser.newContext({ locale: 'en-GB', javaScriptEnabled: false });
  tab = await context.newPage();
  tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  tab.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    // Images may still be loading when the test navigates on.
    if (request.resourceType() === 'image' && why === 'net::ERR_ABORTED') return;
    complaints.push(`${why}: ${request.url()}`);
  });
});
afterAll(() => browser.close());

/** Opens the language menu in the header and picks a language. */
async function switchTo(language: string): Promise<void> {
  const menu = tab.getByRole('banner').locator('.languages');
  await menu.getByRole('button').click();
  await clickAndLoad(menu.locator(`a[hreflang="${language}"]`));
}

it('a planner switches language, finds a product and opens its datasheet', async () => {
  await tab.goto(`${siteUrl}/de-de/products/`);
  await switchTo('en-GB');
  expect(new URL(tab.url()).pathname).toBe('/en-gb/products/');

  await clickAndLoad(tab.getByRole('link', { name: 'DIFFRANA Vario 75' }).first());
  await tab.getByRole('heading', { level: 1, name: 'DIFFRANA Vario 75' }).waitFor();
  expect(await tab.getByText('HW-10110').first().isVisible()).toBe(true);
  expect(await tab.getByText('9524010000016').first().isVisible()).toBe(true);
  expect(await tab.getByRole('cell', { name: '0.25 – 25 m' }).isVisible()).toBe(true);

  const datasheet = await tab.locator('main a[href$=".pdf"]').first().getAttribute('href');
  const answer = await tab.request.get(new URL(datasheet ?? '', siteUrl).href);
  expect(answer.status()).toBe(200);
  expect((await answer.body()).subarray(0, 5).toString()).toBe('%PDF-');
});

it('the language switcher stays on the same product', async () => {
  await tab.goto(`${siteUrl}/en-gb/products/`);
  await clickAndLoad(tab.getByRole('link', { name: 'KLEVENTO Uni 60' }).first());
  await switchTo('fr-FR');
  expect(new URL(tab.url()).pathname).toMatch(/^\/fr-fr\/p\/.*9524010000085\/$/);
  await tab.getByRole('heading', { level: 1, name: 'KLEVENTO Uni 60' }).waitFor();
});

it('pictures arrive in a modern format and in the size that is needed', async () => {
  await tab.goto(`${siteUrl}/de-de/products/`);
  await clickAndLoad(tab.getByRole('link', { name: 'DIFFRANA Vario 75' }).first());
  const picture = tab.locator('main picture').first();
  expect(await picture.locator('source[type="image/avif"]').count()).toBe(1);
  expect(await picture.locator('source[type="image/webp"]').count()).toBe(1);
  const image = picture.locator('img');
  expect(await image.getAttribute('width')).toMatch(/^\d+$/);
  expect(await image.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0);
});

it('nothing on the way was refused, missing or blocked by the policy', () => {
  expect(complaints).toEqual([]);
});
