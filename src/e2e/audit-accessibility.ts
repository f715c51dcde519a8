import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Matches the cores of typical machines; more tabs only wait for each other. */
const TABS = 2;

export interface AuditOptions {
  siteUrl: string;
  /** Root-relative paths. */
  pages: readonly string[];
  /** Cookies of a signed-in user. */
  storageState?: BrowserContextOptions['storageState'];
}

/**
 * Audits pages in both colour schemes with axe, several at a time. Returns violations of WCAG 2.2 AA and of axe's best
 * practices with their location.
 */
export async function auditAccessibility(browser: Browser, options: AuditOptions): Promise<string[]> {
  const { siteUrl, pages, storageState } = options;
  const signedIn = storageState === undefined ? {} : { storageState };
  const context = await browser.newContext({ reducedMotion: 'reduce', ...signedIn });
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
  await tab.emulateMedia({ colorScheme: 'light' });
  const response = await tab.goto(siteUrl + page);
  if (!response?.ok()) return [`${page}: answered ${response?.status() ?? 'nothing'}`];
  const inLight = await findViolations(tab);
  await tab.emulateMedia({ colorScheme: 'dark' });
  const inDark = await findColourViolations(tab);
  return [
    ...inLight.map((violation) => `${page}: ${violation}`),
    ...inDark.map((violation) => `${page}, dark: ${violation}`),
  ];
}

/** Rules that depend on the colour scheme. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Runs axe on the current page. */
export function findViolations(tab: Page): Promise<string[]> {
  return runAxe(tab, { type: 'tag', values: RULES });
}

/** Runs axe after a change of the colour scheme. Runs all rules in a soak. */
export function findColourViolations(tab: Page): Promise<string[]> {
  return process.env['SORTIMENT_SOAK'] ? findViolations(tab) : runAxe(tab, { type: 'rule', values: RULES_OF_COLOURS });
}

/** Injected once per page: axe's package for Playwright injects twice as much, on every run. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

async function runAxe(tab: Page, runOnly: axe.RunOnly): Promise<string[]> {
  if (!(await tab.evaluate(() => 'axe' in globalThis))) await tab.evaluate(AXE);
  return tab.evaluate(async (only) => {
    const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(document, { runOnly: only, resultTypes: ['violations'] });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
  }, runOnly);
}
