import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Settings } from '#config/index.ts';
import { resolveTestSettings } from '#generated/hosts/testing/test-settings.ts';
import { sitemapEntry, sitemapXml } from '#generated/sitemaps/sitemap.ts';
import { announcePages } from './announce-pages.ts';

const SITE = 'https://katalog.example';

let server: Server;
let endpoint: string;
let status: number;
let told: { host: string; key: string; keyLocation: string; urlList: string[] }[];
let feedsTold: URLSearchParams[];
let settings: Settings;

beforeAll(async () => {
  server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      if (status < 300 && req.url === '/hub') feedsTold.push(new URLSearchParams(body));
      else if (status < 300) told.push(JSON.parse(body) as (typeof told)[number]);
      res.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/indexnow`;
});
afterAll(() => server.close());

beforeEach(() => {
  status = 202;
  told = [];
  feedsTold = [];
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-announce-'));
  settings = resolveTestSettings({ indexNow: { key: 'c0ffee00c0ffee00', endpoint } }, folder);
});

/**
 * Builds a site of these pages.
 *
 * @param pages Dates of content by path.
 */
function build(pages: Record<string, string>): void {
  const entries = Object.entries(pages).map(([pathname, date]) => {
    const url = SITE + pathname;
    return sitemapEntry(url, { canonical: url, noindex: false, alternates: [], images: [] }, date);
  });
  mkdirSync(settings.distFolder, { recursive: true });
  writeFileSync(path.join(settings.distFolder, 'sitemap-index.xml'), '<sitemapindex/>');
  writeFileSync(path.join(settings.distFolder, 'sitemap-0.xml'), sitemapXml(Buffer.from(entries.join(''))));
}

const announce = async () => (await announcePages(settings)).addresses.map((url) => url.slice(SITE.length));

describe('announcing', () => {
  it('tells of pages that are new, others or gone, once', async () => {
    build({ '/a/': '2026-11-01', '/b/': '2026-11-01', '/c/?x=1&y=2': '2026-11-01' });
    expect(await announce()).toEqual(['/a/', '/b/', '/c/?x=1&y=2']);
    expect(await announce()).toEqual([]);
    build({ '/a/': '2026-11-02', '/b/': '2026-11-01', '/d/': '2026-11-02' });
    expect(await announce()).toEqual(['/a/', '/d/', '/c/?x=1&y=2']);
    expect(told.map(({ urlList }) => urlList.length)).toEqual([3, 3]);
    expect(told[0]).toMatchObject({ host: 'katalog.example', keyLocation: `${SITE}/c0ffee00c0ffee00.txt` });
  });

  it('tells again what was refused', async () => {
    build({ '/a/': '2026-11-01' });
    status = 403;
    await expect(announce()).rejects.toMatchObject({
      code: 'INDEXNOW_REFUSED',
      message: `[POST] "${endpoint}": 403: the key file of the site is missing or different.`,
    });
    status = 200;
    expect(await announce()).toEqual(['/a/']);
  });

  it('sends nothing when it is only to list, or the site is not public', async () => {
    build({ '/a/': '2026-11-01' });
    expect(await announcePages(settings, { dryRun: true })).toEqual({
      addresses: [`${SITE}/a/`],
      feeds: [],
      sent: false,
    });
    await expect(announcePages({ ...settings, siteUrl: 'http://localhost:4321' })).rejects.toMatchObject({
      code: 'SITE_NOT_PUBLIC',
    });
    expect(told).toEqual([]);
  });

  it('asks the hub to look at feeds that have changed, without a key for search engines as well', async () => {
    const hub = endpoint.replace('indexnow', 'hub');
    settings = {
      ...settings,
      options: { ...settings.options, indexNow: undefined, seo: { ...settings.options.seo, hub } },
    };
    build({});
    mkdirSync(path.join(settings.distFolder, 'de-de'));
    const write = (file: string, text: string) => writeFileSync(path.join(settings.distFolder, file), text);
    write('changes.json', '{}');
    write('de-de/atom.xml', '<feed/>');
    write('de-de/other.xml', '<feed/>');
    status = 403;
    await expect(announcePages(settings)).rejects.toMatchObject({ code: 'HUB_REFUSED' });
    status = 204;
    expect((await announcePages(settings)).feeds.toSorted()).toEqual([
      `${SITE}/changes.json`,
      `${SITE}/de-de/atom.xml`,
    ]);
    write('de-de/atom.xml', '<feed>new</feed>');
    expect((await announcePages(settings)).feeds).toEqual([`${SITE}/de-de/atom.xml`]);
    expect((await announcePages(settings)).feeds).toEqual([]);
    expect(feedsTold.map(String)).toHaveLength(3);
    expect(Object.fromEntries(feedsTold.at(-1) ?? [])).toEqual({
      'hub.mode': 'publish',
      'hub.url': `${SITE}/de-de/atom.xml`,
    });
    expect(told).toEqual([]);
  });
});
