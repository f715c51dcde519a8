import { readFile } from 'node:fs/promises';
import { DomUtils, parseDocument } from 'htmlparser2';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { auditAccessibility } from './audit-accessibility.ts';
import { launchBrowser } from './launch-browser.ts';
import { measureOverflow } from './measure-overflow.ts';
import { samplePages } from './page-kinds.ts';
import { listHtmlPages } from './list-html-pages.ts';

const siteUrl = inject('siteUrl');
const built = await listHtmlPages(`${inject('projectFolder')}/dist`);
/** A product without image or price, in a language with texts of another one. */
const BARE = built.find((page) => /^\/fr-fr\/p\/.*0412345000018\/$/.test(page)) ?? 'no page without an image';
const kinds = (language: string) => Object.values(samplePages(built, language));

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

describe('WCAG 2.2 AA', () => {
  it('is met by every kind of page', async () => {
    const pages = [...kinds('de-de'), BARE];
    expect(await auditAccessibility(browser, { siteUrl, pages })).toEqual([]);
  });

  // Takes several minutes.
  if (process.env['SORTIMENT_SOAK'])
    it('is met by every page of the sitemap', { timeout: 30 * 60_000 }, async () => {
      const pages = await pagesOfSitemap();
      expect(pages.length).toBeGreaterThan(200);
      expect(await auditAccessibility(browser, { siteUrl, pages })).toEqual([]);
    });
});

/** Phones are covered by the typography test. */
it('every kind of page fits a tablet and a desktop', async () => {
  const context = await browser.newContext();
  const tab = await context.newPage();
  const wider: string[] = [];
  for (const page of kinds('de-de')) {
    await tab.goto(siteUrl + page);
    for (const width of [768, 1440]) {
      await tab.setViewportSize({ width, height: 740 });
      const overflow = await measureOverflow(tab);
      if (overflow > 0) wider.push(`${page}: ${overflow} px beyond ${width}`);
    }
  }
  await context.close();
  expect(wider).toEqual([]);
});

async function pagesOfSitemap(): Promise<string[]> {
  const maps = await locationsIn(`${siteUrl}/sitemap-index.xml`);
  return (await Promise.all(maps.map(locationsIn))).flat().map((url) => decodeURI(new URL(url).pathname));
}

async function locationsIn(map: string): Promise<string[]> {
  const text = await (await fetch(map)).text();
  return [...text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url = '']) => url);
}

it('says of every table what it is, and of every heading in one what it heads', async () => {
  const problems: string[] = [];
  let looked = 0;
  for (const page of built) {
    const file = `${inject('projectFolder')}/dist${page.endsWith('/') ? `${page}index.html` : page}`;
    const html = parseDocument(await readFile(file, 'utf8'));
    for (const table of DomUtils.getElementsByTagName('table', html)) {
      looked += 1;
      // A scrolling region is labelled by its table.
      const named = [table, table.parent].some(
        (around) =>
          around && 'attribs' in around && (around.attribs['aria-label'] ?? around.attribs['aria-labelledby']),
      );
      const caption = DomUtils.getElementsByTagName('caption', table).map((one) => DomUtils.textContent(one).trim());
      if (!named && !caption.some(Boolean)) problems.push(`${page}: a table without a name`);
      for (const head of DomUtils.getElementsByTagName('th', table)) {
        if (!head.attribs['scope']) problems.push(`${page}: a heading without a scope`);
        if (DomUtils.textContent(head).trim() === '') problems.push(`${page}: a heading without a text`);
      }
    }
  }
  expect(problems).toEqual([]);
  expect(looked).toBeGreaterThan(300);
});
