import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '#e2e/launch-browser.ts';
import { copyProject, type ProjectCopy, type RunningCommand } from '#e2e/project-copy.ts';
import { writeTestCatalogue } from '#build/testing/test-catalogue.ts';

/** Several polling intervals. */
const QUIET_MS = 4000;

let project: ProjectCopy;
let browser: Browser;
let server: RunningCommand;
let address: string;
beforeAll(async () => {
  [project, browser] = await Promise.all([copyProject(), launchBrowser()]);
  await writeTestCatalogue(project.folder, 0.2);
  server = project.start('dev', ['--port', '0', '--host', '127.0.0.1'], { SORTIMENT_OFFLINE: '1' });
  [, address = ''] = await server.printed(/Local\s+(http:\/\/[\w.:]+)/);
}, 300_000);
afterAll(async () => {
  await browser.close();
  await server.stop();
  await project.remove();
});

it('shows an error until it is fixed, and does nothing while nobody writes', { timeout: 300_000 }, async () => {
  const page = await browser.newPage();
  const requests: string[] = [];
  await page.goto(`${address}/de-de/`, { timeout: 120_000 });
  const heading = page.locator('h1').first();
  await heading.waitFor();
  page.on('request', (request) => requests.push(request.url()));
  /** Waits for a while without requests or output: those of the last change may still be pending. */
  const untilQuiet = () =>
    expect
      .poll(
        async () => {
          requests.length = 0;
          const before = server.output();
          await setTimeout(QUIET_MS);
          return [...requests, server.output().slice(before.length)];
        },
        { timeout: 60_000 },
      )
      .toEqual(['']);
  await untilQuiet();

  const file = path.join(project.folder, 'src/pages/[language]/index.astro');
  const right = await readFile(file, 'utf8');
  await writeFile(file, right.replace('---\n', '---\nconst broken = ;\n'));
  const overlay = page.locator('vite-error-overlay');
  await overlay.waitFor({ timeout: 60_000 });
  await untilQuiet();
  expect(await overlay.count()).toBe(1);

  await writeFile(file, right);
  await overlay.waitFor({ state: 'detached', timeout: 60_000 });
  await heading.waitFor();
});
