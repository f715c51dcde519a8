import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { clickAndLoad } from './click-and-load.ts';
import { launchBrowser } from './launch-browser.ts';

const siteUrl = inject('siteUrl');
const VARIO = /\/p\/diffrana-vario-75-9524010000016\/$/;

const SEARCHES = parse(readFileSync(path.join(import.meta.dirname, 'searches.yaml'), 'utf8')) as Record<
  string,
  { query: string; first: string[] }[]
>;
/** Searches that need not find the right page first. */
const ALLOWED_MISSES = 3;

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe('a planner who searches', () => {
  let tab: Page;
  let bytes = new Map<string, number>();
  const complaints: string[] = [];

  /** Opens a tab of a new visitor. */
  const openTab = async (): Promise<void> => {
    const context = await browser.newContext({ locale: 'de-DE', reducedMotion: 'reduce' });
    tab = await context.newPage();
    tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    tab.on('requestfailed', (request) => {
      // Images may still be loading when the test navigates on.
      const why = request.failure()?.errorText;
      if (why !== 'net::ERR_ABORTED') complaints.push(`${why}: ${request.url()}`);
    });
    tab.on('requestfinished', (request) => {
      const { pathname } = new URL(request.url());
      const loaded = bytes;
      void request.sizes().then(
        ({ responseBodySize }) => loaded.set(pathname, responseBodySize),
        () => undefined,
      );
    });
  };
  beforeAll(openTab);
  beforeEach(() => {
    bytes = new Map();
  });

  const status = () => tab.getByRole('main').getByRole('status');
  const hits = () => tab.getByRole('main').locator('[data-hits] li');
  const titles = async (): Promise<string[]> => hits().getByRole('heading').allTextContents();
  const field = () => tab.getByRole('main').getByRole('searchbox');
  const told = async (): Promise<string> => {
    await tab.waitForFunction(() =>
      /\d|Keine|No |Aucun/.test(document.querySelector('main [role="status"]')?.textContent ?? ''),
    );
    return (await status().textContent()) ?? '';
  };
  const search = async (query: string, language = 'de-de'): Promise<string[]> => {
    await tab.goto(`${siteUrl}/${language}/search/?q=${encodeURIComponent(query)}`);
    await told();
    return titles();
  };

  it('finds the field in the header of every page and goes straight to a product by its number', async () => {
    await tab.goto(`${siteUrl}/de-de/products/`);
    await tab.getByRole('banner').getByRole('searchbox').fill('hw 10110');
    await tab.keyboard.press('Enter');
    await tab.waitForURL(VARIO);
    await tab.goBack();
    await tab.waitForURL(`${siteUrl}/de-de/products/`);
  });

  it.each([
    ['a GTIN with spaces', '952 4010 00001 6'],
    ['a GTIN-14', '09524010000016'],
    ['full-width digits', '９５２４０１０００００１６'],
    ['a pasted Digital Link', 'https://id.example/01/09524010000016?x=1'],
    ['an element string', '(01)09524010000016(10)A1'],
    ['an item number without separators', 'HW10110'],
  ])('goes straight to a product by %s', async (_, query) => {
    await tab.goto(`${siteUrl}/de-de/search/?q=${encodeURIComponent(query)}`);
    await tab.waitForURL(VARIO);
  });

  it('lists products by a part of a number, and loads no texts for that', async () => {
    expect((await search('1011')).toSorted()).toEqual(['DIFFRANA Vario 150', 'DIFFRANA Vario 75']);
    expect([...bytes.keys()].filter((file) => file.includes('/words-'))).toEqual([]);
    expect(await search('4010000085')).toEqual(['KLEVENTO Uni 60']);
  });

  it('is told that a check digit is wrong', async () => {
    await search('9524010000017');
    expect(await status().textContent()).toContain('Prüfziffer');
  });

  it.each([
    ['de-de', 'Dampfsperre', 'DIFFRANA Vario 75'],
    ['en-gb', 'VCL', 'DIFFRANA Vario 75'],
    ['en-gb', 'vapour barrier', 'DIFFRANA Vario 75'],
    ['fr-fr', 'pare-vapeur', 'DIFFRANA Vario 75'],
    ['fr-fr', 'frein-vapeur', 'DIFFRANA Vario 75'],
    ['de-de', 'Kompriband', 'FUGENTO 600 15/5-10'],
  ])('finds products by synonyms, %s: %s', async (language, query, name) => {
    expect(await search(query, language)).toContain(name);
  });

  it.each([
    ['de-de', 'Klebebaender', 'KLEVENTO Uni 60'],
    ['de-de', 'klebebänder', 'KLEVENTO Uni 60'],
    ['de-de', 'klebebander', 'KLEVENTO Uni 60'],
    ['de-de', 'fluessig', 'SPRIZANO Flüssig 5'],
    ['fr-fr', 'etancheite', 'DIFFRANA Vario 75'],
    ['fr-fr', 'étanchéité', 'DIFFRANA Vario 75'],
  ])('types without umlauts and accents, %s: %s', async (language, query, name) => {
    expect(await search(query, language)).toContain(name);
  });

  it('finds words in those that are written together, and the product before what was written of it', async () => {
    expect(await search('Bremse')).toContain('DIFFRANA Vario 75');
    expect((await search('WARMOLA'))[0]).toMatch(/^WARMOLA/);
  });

  it('finds products by norm, value and material, and posts and pages by kind', async () => {
    expect(await search('EN 13501-1')).toContain('DIFFRANA Fassade UV');
    expect(await search('Polyamid')).toContain('DIFFRANA Vario 75');
    await search('Dampfbremse');
    const all = await hits().count();
    await tab.getByRole('radio', { name: 'Journal' }).check();
    await tab.waitForURL(/kind=post/);
    await told();
    await expect.poll(async () => hits().count(), { timeout: 20_000 }).toBeLessThan(all);
    expect(await hits().first().getByRole('heading').getByRole('link').getAttribute('href')).toMatch(
      /^\/de-de\/journal\//,
    );
    await tab.reload();
    await told();
    expect(await tab.getByRole('radio', { name: 'Journal' }).isChecked()).toBe(true);
  });

  it.each([
    [
      'de-de',
      'EN 13501-1',
      ['DIN EN 13501-1', 'EN 13501-1:2019', 'EN13501-1', 'NF EN 13501-1:2019-05', 'din en 13501-1'],
    ],
    ['fr-fr', 'EN 1928', ['DIN EN 1928', 'EN 1928:2000-07', 'EN1928', 'BS EN 1928']],
  ])('in %s finds the products of %s by any prefix and edition', async (language, norm, written) => {
    const found = (await search(norm, language)).toSorted();
    expect(found.length).toBeGreaterThan(0);
    for (const query of written) expect((await search(query, language)).toSorted(), query).toEqual(found);
  });

  it('does all of it with the keyboard, and is told how much there is', async () => {
    const expected = await search('Klebeband');
    await tab.goto(`${siteUrl}/de-de/search/`);
    await field().focus();
    await tab.keyboard.type('Klebeband');
    await tab.waitForURL(/q=Klebeband$/);
    // Slow typing starts intermediate searches.
    await expect.poll(titles, { timeout: 20_000 }).toEqual(expected);
    expect(await told()).toMatch(/^Treffer: \d+$/);
    const focused = () => tab.evaluate(() => document.activeElement?.textContent ?? '');
    const [first = '', second = ''] = await titles();
    await tab.keyboard.press('ArrowDown');
    expect(await focused()).toBe(first);
    await tab.keyboard.press('ArrowDown');
    expect(await focused()).toBe(second);
    await tab.keyboard.press('Escape');
    expect(await field().evaluate((input) => input === document.activeElement)).toBe(true);
    await tab.keyboard.press('ArrowDown');
    await tab.keyboard.press('Enter');
    await tab.waitForURL(/\/products\//);
    await tab.getByRole('heading', { level: 1, name: first }).waitFor();
  });

  it('finds the right page first', async () => {
    const missed: string[] = [];
    for (const [language, searches] of Object.entries(SEARCHES))
      for (const { query, first } of searches) {
        await tab.goto(`${siteUrl}/${language}/search/?q=${encodeURIComponent(query)}`);
        const link = hits().first().getByRole('heading').getByRole('link');
        // The number of a single product redirects to it.
        const isFound = await Promise.race([
          link.waitFor({ timeout: 20_000 }).then(() => true),
          tab.waitForURL(/\/p\//, { timeout: 20_000 }).then(() => false),
        ]);
        const found = isFound ? ((await link.getAttribute('href')) ?? '') : tab.url();
        if (!first.some((part) => found.includes(part))) missed.push(`${language} ${query}: ${found}`);
      }
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(ALLOWED_MISSES);
  });

  it('names corrected and omitted words, and leads on from a search without results', async () => {
    await search('Dampfbrmse');
    expect(await status().textContent()).toMatch(/^Ergebnisse für „Dampfbremse“\. Treffer: \d+$/);
    await search('Klebeband Qqxyzw');
    expect(await status().textContent()).toContain('ohne: Qqxyzw');
    expect(await search('Qqxyzw')).toEqual([]);
    const main = tab.getByRole('main');
    await main.getByRole('link', { name: 'Klebebänder' }).waitFor();
    await main.getByRole('link', { name: 'info@' }).waitFor();
    await main.getByRole('link', { name: 'Produkte nach GTIN' }).waitFor();
  });

  it('suggests searches while typing', async () => {
    await tab.goto(`${siteUrl}/de-de/search/`);
    await field().pressSequentially('klebeb');
    await tab.getByRole('main').getByRole('button', { name: 'Klebebänder', exact: true }).click();
    await expect.poll(async () => (await titles())[0], { timeout: 20_000 }).toBe('Klebebänder');
    await tab.waitForURL(/q=Kleb/);
  });

  it.each(['Klebeband', 'Dampfbrmse variabel', 'DIN 18542'])(
    'takes at most 8 requests and 60 kB besides the page: %s',
    async (query) => {
      await openTab();
      const responses: Promise<[url: string, bytes: number]>[] = [];
      tab.on('response', (response) =>
        responses.push(response.body().then((body) => [response.url(), gzipSync(body).length])),
      );
      await tab.goto(`${siteUrl}/de-de/search/?q=${encodeURIComponent(query)}`);
      await told();
      await tab.waitForLoadState('networkidle');
      const [, ...loaded] = await Promise.all(responses);
      expect(loaded.length, String(loaded)).toBeLessThanOrEqual(8);
      expect(
        loaded.reduce((sum, [, size]) => sum + size, 0),
        String(loaded),
      ).toBeLessThan(60 * 1024);
    },
  );

  it('loads nothing to search before it is asked', async () => {
    await openTab();
    await tab.goto(`${siteUrl}/de-de/search/`, { waitUntil: 'networkidle' });
    expect([...bytes.keys()].filter((file) => file.startsWith('/_search/'))).toEqual([]);
  });

  it('was refused nothing by the policy', () => {
    expect(complaints).toEqual([]);
  });
});

it.each([360, 1280])('moves nothing when a search is opened by its address, %i px wide', async (width) => {
  const context = await browser.newContext({ viewport: { width, height: 740 } });
  const tab = await context.newPage();
  // Delays scripts beyond the first paint, as on a slow connection.
  await tab.route('**/*.js', async (route) => {
    await setTimeout(400);
    await route.continue();
  });
  await tab.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(entry as PerformanceEntry & { value: number });
    }).observe({ type: 'layout-shift', buffered: true });
    const shifts: { value: number }[] = [];
    Object.assign(globalThis, { shifts });
  });
  for (const [query, count] of [
    ['Klebeband', /^Treffer: \d+$/],
    ['Qqxyz', /Keine/],
  ] as const) {
    await tab.goto(`${siteUrl}/de-de/search/?q=${query}`);
    await tab.getByRole('main').getByRole('status').getByText(count).waitFor();
    await tab.waitForLoadState('networkidle');
    const shifts = await tab.evaluate(() => (globalThis as unknown as { shifts: { value: number }[] }).shifts);
    expect(
      shifts.reduce((sum, { value }) => sum + value, 0),
      query,
    ).toBeLessThan(0.02);
  }
  await context.close();
});

it('without JavaScript, every product is found by name, item number and GTIN', async () => {
  const context = await browser.newContext({ locale: 'de-DE', reducedMotion: 'reduce', javaScriptEnabled: false });
  const tab = await context.newPage();
  await tab.goto(`${siteUrl}/de-de/products/`);
  await tab.getByRole('banner').getByRole('searchbox').fill('Vario');
  await tab.keyboard.press('Enter');
  await tab.waitForURL(/\/de-de\/search\/\?q=Vario$/);
  expect(await tab.locator('noscript').textContent()).toContain('Ohne JavaScript');
  await clickAndLoad(tab.getByRole('link', { name: 'D', exact: true }));
  await clickAndLoad(tab.getByRole('link', { name: 'DIFFRANA Vario 75' }));
  expect(new URL(tab.url()).pathname).toMatch(VARIO);

  await tab.goto(`${siteUrl}/de-de/products/`);
  await clickAndLoad(tab.getByRole('link', { name: 'Produkte nach Artikelnummer' }));
  const numbers = await tab.locator('table td:first-child').allTextContents();
  expect(numbers).toEqual(numbers.toSorted());
  expect(numbers).toContain('HW-10110');
  await clickAndLoad(tab.getByRole('row', { name: 'HW-10110' }).getByRole('link'));
  expect(new URL(tab.url()).pathname).toMatch(VARIO);

  await tab.goto(`${siteUrl}/de-de/search/gtins/`);
  expect(await tab.locator('table td:first-child').first().textContent()).toBe('0412345000018');
  await context.close();
});
