import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

/** Other switches of that package break Lighthouse, so only the one that running as root needs is passed. */
export const BROWSER_ARGS = ['--no-sandbox'];

/** A Chromium out of an npm package: nothing is downloaded. */
export async function launchBrowser(): Promise<Browser> {
  return playwright.launch({ executablePath: await chromium.executablePath(), args: BROWSER_ARGS, headless: true });
}
