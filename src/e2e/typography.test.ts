import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { enrichHtml } from '#catalogue/journal/enrich-html.ts';
import { ELEMENTS, MATH_TAGS, tokenizeHtml } from '#contracts/html/html-text.ts';
import { sanitiseHtml } from '#sync/publishing/sanitise-html.ts';
import { foreignHtml } from './foreign-html.ts';
import { launchBrowser } from './launch-browser.ts';
import { measureOverflow } from './measure-overflow.ts';
import { samplePages } from './page-kinds.ts';
import { listHtmlPages } from './list-html-pages.ts';

const siteUrl = inject('siteUrl');
const pages = await listHtmlPages(`${inject('projectFolder')}/dist`);
const PHONE = { width: 360, height: 740 };
/** Pages whose headings have the longest words, or the most symbols. */
const HARD = /fensteranschlussfugen|norms\/en-(12086|17333-1)\/|coller-par|insulation-boards\/compare/;

/** Words without a break opportunity, or without one that styles allow. */
const ENDLESS = [
  'Luftdichtheitsebene'.repeat(16),
  '1234567890'.repeat(30),
  'EN\u00A0ISO\u00A012345-6:2020+A1:2023/'.repeat(10),
];

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

/**
 * Finds bad line breaks in a page: words broken although this browser doesn't hyphenate, and lines that start with
 * punctuation.
 */
function findBadBreaks(): string[] {
  for (const details of document.querySelectorAll<HTMLDetailsElement>('main details')) details.open = true;
  const found: string[] = [];
  const range = document.createRange();
  const linesOf = (node: Node, from: number, to: number): number[] => {
    range.setStart(node, from);
    range.setEnd(node, to);
    return [...range.getClientRects()].filter(({ width }) => width > 0.5).map(({ top }) => Math.round(top));
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent ?? '';
    const element = node.parentElement;
    if (!element?.checkVisibility() || element.closest('script, style, .visually-hidden')) continue;
    for (const { 0: word, index } of text.matchAll(/[\p{L}\p{M}\p{N}]+\s*[:;!?»]?/gu))
      if (word.length < 100 && new Set(linesOf(node, index, index + word.length)).size > 1) found.push(word);
  }
  return found;
}

const LEAST_ROOM = 24;

/** Returns the space between the end of a page and its footer, if it has one. */
function findRoom(): number {
  const ends = [...document.querySelectorAll('main *')]
    .filter((element) => element.childElementCount === 0 && element.checkVisibility())
    // Scrolling content ends with its box.
    .map((element) => (element.closest('main [tabindex="0"]') ?? element).getBoundingClientRect().bottom);
  return (document.querySelector('.site-footer')?.getBoundingClientRect().top ?? Infinity) - Math.max(...ends);
}

async function look(tab: Page, path: string): Promise<unknown> {
  await tab.goto(siteUrl + path);
  const breaks = await tab.evaluate(findBadBreaks);
  const overflow = await measureOverflow(tab);
  const room = await tab.evaluate(findRoom);
  return breaks.length > 0 || overflow > 0 || room < LEAST_ROOM ? { path, breaks, overflow, room } : undefined;
}

describe.each(['de-de', 'en-gb', 'fr-fr'])('on a phone, pages in %s', (language) => {
  it('part no word, begin no line with a sign, are no wider than the screen, and end above the footer', async () => {
    const context = await browser.newContext({ viewport: PHONE });
    const tab = await context.newPage();
    const hard = pages.filter((page) => page.startsWith(`/${language}/`) && HARD.test(page));
    const bad: unknown[] = [];
    for (const page of new Set([...Object.values(samplePages(pages, language)), ...hard])) {
      const found = await look(tab, page);
      if (found) bad.push(found);
    }
    await context.close();
    expect(bad).toEqual([]);
  });
});

it('a word without end breaks, and leaves the page as wide as it is', async () => {
  const context = await browser.newContext({ viewport: PHONE });
  const tab = await context.newPage();
  const samples = samplePages(pages, 'de-de');
  for (const page of [samples.product, samples.compare, samples.family, samples.article, samples.norm]) {
    await tab.goto(siteUrl + (page ?? ''));
    for (const word of ENDLESS) {
      const overflow = await tab.evaluate((text) => {
        for (const element of document.querySelectorAll('main :is(h1, h2, h3, p, li, dt, dd, th, td, span, small, a)'))
          if (element.childElementCount === 0 && !element.closest('svg, .compare__mark')) element.textContent = text;
        return document.documentElement.scrollWidth - document.documentElement.clientWidth;
      }, word);
      expect(overflow, `${page} ${word.slice(0, 12)}`).toBeLessThanOrEqual(0);
    }
  }
  await context.close();
});

function shown(word: string): string {
  return enrichHtml(sanitiseHtml(foreignHtml(word)), { tableLabel: String, opensAt: (provider) => provider });
}

describe('HTML of others', () => {
  it('has every element that is kept', () => {
    const found = new Set([...tokenizeHtml(shown('Wort'))].map((piece) => (piece.kind === 'open' ? piece.name : '')));
    const kept = Object.entries(ELEMENTS).flatMap(([name, { fate }]) => (fate === 'kept' ? [name] : []));
    expect([...kept, ...MATH_TAGS].filter((name) => !found.has(name))).toEqual([]);
  });

  it.each(['article', 'product'] as const)('leaves a page of a phone as wide as it is: %s', async (kind) => {
    const context = await browser.newContext({ viewport: PHONE });
    const tab = await context.newPage();
    await tab.goto(siteUrl + (samplePages(pages, 'de-de')[kind] ?? ''));
    for (const word of ['Wort', ...ENDLESS]) {
      const outside = await tab.evaluate(fillProse, shown(word));
      expect(outside, word.slice(0, 12)).toEqual([]);
      if (word === 'Wort') expect(await tab.evaluate(findBadBreaks)).toEqual([]);
    }
    const directions = await tab.evaluate(() =>
      [...document.querySelectorAll('.prose p[dir]')].map((element) => getComputedStyle(element).direction),
    );
    expect(directions).toEqual(['rtl']);
    const hidden = await tab.evaluate(() =>
      [...document.querySelectorAll('.prose [hidden]')].filter((element) => element.checkVisibility()),
    );
    expect(hidden).toEqual([]);
    await context.close();
  });
});

/** Replaces the text of a page by HTML. Returns elements beyond the screen outside of scrolling boxes. */
function fillProse(html: string): string[] {
  const prose = document.querySelector('.prose');
  if (!prose) return ['no text'];
  prose.innerHTML = html;
  for (const details of document.querySelectorAll<HTMLDetailsElement>('main details')) details.open = true;
  const { scrollWidth, clientWidth } = document.documentElement;
  const found = scrollWidth > clientWidth ? ['the page'] : [];
  const range = document.createRange();
  const walker = document.createTreeWalker(prose, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest('.scroll, pre, math')) continue;
    range.selectNodeContents(node);
    const rects = node instanceof Element ? node.getClientRects() : range.getClientRects();
    if ([...rects].some(({ left, right }) => left < 0 || right > clientWidth + 1))
      found.push(node instanceof Element ? node.outerHTML.slice(0, 60) : (node.textContent ?? '').slice(0, 60));
  }
  return found;
}
