import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** As many as cores, on the machines that run it; more only wait for each other. */
const TABS = 2;

export interface AuditOptions {
  siteUrl: string;
  /** Root-relative paths. */
  pages: readonly string[];
  colorScheme: 'light' | 'dark';
  /** Cookies of somebody who is signed in. */
  storageState?: BrowserContextOptions['storageState'];
}

/** Looks at pages with axe, several at a time, and tells what violates WCAG 2.2 AA, or axe's own advice, and where. */
export async function auditAccessibility(browser: Browser, options: AuditOptions): Promise<string[]> {
  const { siteUrl, pages, colorScheme, storageState } = options;
  const signedIn = storageState === undefined ? {} : { storageState };
  const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce', ...signedIn });
  const queue = [...pages];
  const problems: string[] = [];
  const work = async (): Promise<void> => {
    const tab = await context.newPage();
    for (let page = queue.shift(); page !== undefined; page = queue.shift())
      problems.push(...(await auditPage(tab, siteUrl, page)));
  };
  try {
    await Promise.all(Array.from({ length: TABS }, work));
  } finally {
    await context.close();
  }
  return problems.toSorted();
}

async function auditPage(tab: Page, siteUrl: string, page: string): Promise<string[]> {
  const answer = await tab.goto(siteUrl + page);
  if (!answer?.ok()) return [`${page}: answered ${answer?.status() ?? 'nothing'}`];
  return (await findViolations(tab)).map((violation) => `${page}: ${violation}`);
}

/** All that depends on the colour scheme. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe finds on a page as it is now. */
export function findViolations(tab: Page): Promise<string[]> {
  return describeViolations(openAxe(tab).withTags(RULES));
}

/** What it finds after a change of the colour scheme alone. A soak looks at all the rest again. */
export function findViolationsOfColours(tab: Page): Promise<string[]> {
  return process.env['SORTIMENT_SOAK']
    ? findViolations(tab)
    : describeViolations(openAxe(tab).withRules(RULES_OF_COLOURS));
}

/** The pages have no frames, so axe need not gather their results in a tab of its own. */
function openAxe(page: Page): AxeBuilder {
  return new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
}

async function describeViolations(axe: AxeBuilder): Promise<string[]> {
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
}
