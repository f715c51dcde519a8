import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser } from './launch-browser.ts';

/** A tab with its errors: those of scripts, and requests blocked by the browser. */
export interface Visit {
  tab: Page;
  complaints: string[];
}

/**
 * Shares tabs between the tests of a file, one for each set of options: creating one takes six times as long as a
 * navigation. Routes and listeners are reset between tests, stored data is not. Reduced motion avoids transitions,
 * which take longer than a navigation.
 */
export function shareTabs(): (options?: BrowserContextOptions) => Promise<Visit> {
  const tabs = new Map<string, Page>();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  return async (options = {}) => {
    const name = JSON.stringify(options);
    const tab = tabs.get(name) ?? (await (await browser.newContext({ reducedMotion: 'reduce', ...options })).newPage());
    tabs.set(name, tab);
    await reset(tab, options);
    const complaints: string[] = [];
    tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    tab.on('pageerror', (error) => complaints.push(error.message));
    return { tab, complaints };
  };
}

const SCREEN = { width: 1280, height: 720 };

async function reset(tab: Page, { colorScheme = null, viewport }: BrowserContextOptions): Promise<void> {
  tab.removeAllListeners('console');
  tab.removeAllListeners('pageerror');
  await tab.unrouteAll();
  await tab.emulateMedia({ media: null, colorScheme });
  await tab.setViewportSize(viewport ?? SCREEN);
}
