import type { Locator, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { shareTabs } from './share-tabs.ts';

/** Daily tasks of planners, dealers and fitters. A click, a choice or an input is one step; scrolling is none. */

const siteUrl = inject('siteUrl');
const share = shareTabs();

interface Visit {
  tab: Page;
  /** Number of steps so far. */
  steps: number;
  click(target: Locator): Promise<void>;
  /** Types into a field and confirms with Enter. */
  search(field: Locator, text: string): Promise<void>;
}

/** Opens a page as a new visitor. */
async function visit(path: string, width: number): Promise<Visit> {
  const { tab } = await share({ locale: 'de-DE', viewport: { width, height: width < 700 ? 740 : 900 } });
  await tab.goto(siteUrl + path);
  const visit: Visit = {
    tab,
    steps: 0,
    async click(target) {
      await target.click();
      visit.steps += 1;
    },
    async search(field, text) {
      await field.fill(text);
      await field.press('Enter');
      visit.steps += 1;
    },
  };
  return visit;
}

const HOME = '/de-de/';
const mainOf = (tab: Page): Locator => tab.getByRole('main');
const linkOf = (tab: Page, name: string | RegExp): Locator => mainOf(tab).getByRole('link', { name }).first();
/** The field in the header of wide screens, in the first screen of the home page on phones. */
const searchOf = (tab: Page): Locator => tab.getByRole('searchbox').filter({ visible: true }).first();
const titles = (tab: Page) => () => mainOf(tab).locator('[data-hits] li').getByRole('heading').allTextContents();
const soon = <T>(read: () => T) => expect.poll(read, { timeout: 20_000 });

describe.each([
  ['phone', 360],
  ['desktop', 1440],
])('on a %s', (_, width) => {
  it('the sd value and the French data sheet of a product take three steps', async () => {
    const planner = await visit(HOME, width);
    const { tab } = planner;
    await planner.search(searchOf(tab), 'Vario 75');
    await planner.click(linkOf(tab, 'DIFFRANA Vario 75'));
    await tab.waitForURL(/\/p\/diffrana-vario-75-/);
    expect(await mainOf(tab).getByText('0,25 – 25 m').first().isVisible()).toBe(true);
    const sheet = mainOf(tab).locator('a[href*="hw-10110-tds-fr"]').first();
    await Promise.all([tab.waitForRequest(/hw-10110-tds-fr.*\.pdf$/), planner.click(sheet)]);
    expect(planner.steps).toBeLessThanOrEqual(3);
  });

  it('three products are compared in three steps', async () => {
    const planner = await visit(HOME, width);
    const { tab } = planner;
    await planner.click(linkOf(tab, 'Dampfbremsen'));
    await planner.click(linkOf(tab, /vergleichen/));
    await soon(() => tab.locator('.compare thead th a').count()).toBeGreaterThanOrEqual(3);
    expect(planner.steps).toBeLessThanOrEqual(3);
  });

  it('a product is found by half its number in two steps', async () => {
    const planner = await visit(HOME, width);
    const { tab } = planner;
    await planner.search(searchOf(tab), '1011');
    await soon(titles(tab)).toContain('DIFFRANA Vario 75');
    await planner.click(linkOf(tab, 'DIFFRANA Vario 75'));
    await tab.waitForURL(/\/p\/diffrana-vario-75-/);
    expect(planner.steps).toBeLessThanOrEqual(2);
  });

  it('membranes of 1.5 m with fire class E are chosen across families and shared in three steps', async () => {
    const planner = await visit(HOME, width);
    const { tab } = planner;
    await planner.click(linkOf(tab, /^(Alle|Zu den) Produkte/));
    await tab.waitForURL(/\/products\/$/);
    const option = (facet: string, text: RegExp) =>
      mainOf(tab).getByRole('group', { name: facet }).locator('label').filter({ hasText: text });
    await planner.click(option('Breite', /^\s*1,5\sm/));
    await planner.click(option('Brandklasse', /^\s*E/));
    const found = ['DIFFRANA Vario 75', 'DIFFRANA Brems 20', 'DIFFRANA Sperr 1500', 'DIFFRANA Dach 150'];
    const names = () => mainOf(tab).locator('tbody tr:visible th a').allTextContents();
    await soon(names).toEqual(found);
    expect(planner.steps).toBeLessThanOrEqual(3);
    await tab.waitForURL(/fire-class=e&width=1-5-m$/);
    const shared = tab.url().slice(siteUrl.length);
    await visit(HOME, width);
    await visit(shared, width);
    await soon(names).toEqual(found);
  });

  it('all data sheets of a family take two steps', async () => {
    const dealer = await visit(HOME, width);
    const { tab } = dealer;
    await dealer.click(linkOf(tab, 'Klebebänder'));
    const [download] = await Promise.all([
      tab.waitForEvent('download'),
      dealer.click(linkOf(tab, /^Alle Datenblätter/)),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.zip$/);
    expect(dealer.steps).toBeLessThanOrEqual(2);
  });

  it('the tape for OSB, outdoors, in winter takes three steps', async () => {
    const fitter = await visit(HOME, width);
    const { tab } = fitter;
    await fitter.search(searchOf(tab), 'Klebeband OSB außen Winter');
    await fitter.click(linkOf(tab, /^KLEVENTO/));
    await tab.waitForURL(/\/p\/klevento-uni-/);
    expect(fitter.steps).toBeLessThanOrEqual(3);
  });

  it('the right mailbox of a product takes one step', async () => {
    const { tab } = await visit('/de-de/p/diffrana-vario-75-9524010000016/', width);
    const mail = mainOf(tab).locator('a[href^="mailto:"]').first();
    expect(await mail.isVisible()).toBe(true);
    expect(decodeURIComponent((await mail.getAttribute('href')) ?? '')).toMatch(/^mailto:technik@.*HW-10110/);
  });
});
