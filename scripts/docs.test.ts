import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditAccessibility } from '#e2e/audit-accessibility.ts';
import { findLighthouseFaults, launchChrome } from '#e2e/find-lighthouse-faults.ts';
import { launchBrowser } from '#e2e/launch-browser.ts';
import { listHtmlPages } from '#e2e/list-html-pages.ts';
import { cleanEnvironment } from '#e2e/project-copy.ts';
import { ROOT } from './cli/load-settings.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const BASE = '/sortiment';
const SOURCE = 'https://code.example/sortiment/blob/main';
const SITE = path.join(ROOT, '.sortiment/docs');
const TYPES: Record<string, string> = {
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
  webp: 'image/webp',
};

/** Pages with an image, files, diagrams, long lists, and none of these. */
const SAMPLES = ['/', '/tutorial/', '/architecture/', '/configuration/', '/404.html'];

let server: Server;
let siteUrl: string;
let browser: Browser;

beforeAll(async () => {
  const script = path.join(ROOT, 'scripts/docs.ts');
  const args = [script, '--url', `https://docs.example${BASE}`, '--source', SOURCE];
  const built = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', env: cleanEnvironment() });
  expect(built.stdout + built.stderr).toContain('Built the documentation');
  server = createServer(({ url = '' }, response) => {
    const file = fileOf(new URL(url, 'http://localhost').pathname);
    if (file === undefined) return void response.writeHead(404).end();
    const type = TYPES[path.extname(file).slice(1)] ?? 'text/html; charset=utf-8';
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(gzipSync(readFileSync(file)));
  }).listen(0);
  siteUrl = `http://localhost:${(server.address() as AddressInfo).port}${BASE}`;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  server.close();
});

/** Returns the file of a path in the site. */
function fileOf(pathname: string): string | undefined {
  if (!pathname.startsWith(`${BASE}/`)) return undefined;
  const file = path.join(SITE, decodeURI(pathname.slice(BASE.length)).replace(/\/$/, '/index.html'));
  return path.extname(file) !== '' && existsSync(file) ? file : undefined;
}

/** True if a link leads to no page or heading of the site, or to no source file. */
function isDead({ href, host, pathname, hash }: URL): boolean {
  if (href.startsWith(`${SOURCE}/`))
    return !existsSync(path.join(ROOT, new URL(href.replace(SOURCE, 'file://')).pathname));
  if (host !== 'docs.example') return false;
  const file = fileOf(pathname);
  if (file === undefined) return true;
  return hash !== '' && !readFileSync(file, 'utf8').includes(` id="${decodeURIComponent(hash.slice(1))}"`);
}

describe('the documentation', () => {
  it('has a page for each file of content/docs, which all pages link to', async () => {
    const pages = readdirSync(path.join(ROOT, 'content/docs')).map((file) => `/${path.parse(file).name}/`);
    expect(await listHtmlPages(SITE)).toEqual(['/', '/404.html', ...pages].toSorted());
    const start = readFileSync(path.join(SITE, 'index.html'), 'utf8');
    expect(pages.filter((page) => !start.includes(`href="${BASE}${page}"`))).toEqual([]);
  });

  it('has no dead link, neither to pages and headings nor to source files', async () => {
    const dead: string[] = [];
    let checked = 0;
    for (const page of await listHtmlPages(SITE)) {
      // Its canonical address exists on no host.
      if (page === '/404.html') continue;
      const address = `https://docs.example${BASE}${page}`;
      const links = [...readFileSync(fileOf(BASE + page) ?? '', 'utf8').matchAll(/\s(?:href|src)="([^"]*)"/g)];
      checked += links.length;
      dead.push(...links.flatMap(([, link = '']) => (isDead(new URL(link, address)) ? [`${page}: ${link}`] : [])));
    }
    expect(dead).toEqual([]);
    expect(checked).toBeGreaterThan(1000);
  });

  it('finds a page by its text', async () => {
    const page = await browser.newPage();
    await page.goto(`${siteUrl}/`);
    await page.getByRole('button', { name: /search/i }).click();
    await page.getByRole('dialog').getByPlaceholder('Search').fill('standard webhooks');
    await page
      .getByRole('link', { name: /start a build elsewhere/i })
      .first()
      .click();
    await page.waitForURL(`${siteUrl}/hooks/**`);
    await page.close();
  });

  it('meets WCAG 2.2 AA', async () => {
    const pages = process.env['SORTIMENT_SOAK'] ? await listHtmlPages(SITE) : SAMPLES;
    expect(await auditAccessibility(browser, { siteUrl, pages })).toEqual([]);
  });

  it.each(['/', '/deploy/'])('scores 100 in Lighthouse: %s', { retry: 2 }, async (page) => {
    const chrome = await launchChrome();
    try {
      expect(await findLighthouseFaults(chrome, siteUrl + page)).toEqual([]);
    } finally {
      chrome.kill();
    }
  });
});
