import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { languageListPath, recordPath } from '#catalogue/addresses/shop-paths.ts';
import { defineConfig, resolveSettings, type Settings } from '#config/index.ts';
import { languages, writeSnapshot, type SnapshotContent } from '#catalogue/testing/write-snapshot.ts';
import { loadOrigin } from '#origin/server/load-origin.ts';
import { readDigest } from '#snapshot/index.ts';
import { proxyTo, openUpstreams } from '../upstreams/ensure-snapshot.ts';
import { isOriginPath } from '../upstreams/demo-start.ts';
import { serveDerived, type DerivedFiles, watchSnapshot } from './serve-catalogue.ts';

const image = { url: 'https://media.example/a.png', kind: 'image', digest: 'ab'.repeat(32), file: 'ab/a.png' } as const;
const sheet = {
  url: 'https://media.example/s.pdf',
  kind: 'document',
  digest: '1a2b3c4d'.repeat(8),
  file: '1a/s.pdf',
} as const;
const content: SnapshotContent = { records: { language: languages('de-de') }, assets: [image] };

let settings: Settings;
let derived: DerivedFiles;
let server: Server;
let url: string;

async function listen(listener: Parameters<typeof createServer>[1]): Promise<[Server, string]> {
  const started = createServer(listener);
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return [started, `http://127.0.0.1:${(started.address() as AddressInfo).port}`];
}

beforeAll(async () => {
  const folder = writeSnapshot(content);
  const options = defineConfig({
    site: { name: 'Haldenwerk' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
    mainLanguage: 'de-de',
  });
  settings = resolveSettings(folder, options, {});
  for (const { file } of [image, sheet])
    mkdirSync(path.dirname(path.join(settings.assetsFolder, file)), { recursive: true });
  writeFileSync(path.join(settings.assetsFolder, sheet.file), '%PDF-');
  await sharp({ create: { width: 400, height: 200, channels: 3, background: '#258' } })
    .png()
    .toFile(path.join(settings.assetsFolder, image.file));
  derived = serveDerived(settings);
  [server, url] = await listen((req, res) => derived.middleware(req, res, () => void res.writeHead(404).end('next')));
});
afterAll(() => server.close());

it('makes a derived image when it is asked for', async () => {
  const answer = await fetch(`${url}/_images/abababababababab-100.webp`);
  expect(answer.headers.get('content-type')).toBe('image/webp');
  const { width, height } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect({ width, height }).toEqual({ width: 100, height: 50 });
});

it('leaves to others what it does not know', async () => {
  for (const place of ['/de-de/', '/_images/0000000000000000-100.webp', '/_images/../package.json', '/documents/x.pdf'])
    expect(await (await fetch(url + place)).text()).toBe('next');
});

it('notices another snapshot, and hands out what it brings', async () => {
  const onChange = vi.fn(async () => derived.forget());
  const unwatch = watchSnapshot(settings.snapshotPath, onChange);
  const document = `${url}/documents/1a2b3c4d-s.pdf`;
  expect((await fetch(document)).status).toBe(404);
  writeSnapshot(content, settings.root);
  await new Promise((resolve) => setTimeout(resolve, 800));
  expect(onChange).not.toHaveBeenCalled();
  writeSnapshot({ ...content, assets: [image, sheet], digest: 'd2' }, settings.root);
  await vi.waitFor(() => expect(onChange).toHaveBeenCalledOnce(), { timeout: 20_000 });
  unwatch();
  expect(await (await fetch(document)).text()).toBe('%PDF-');

  // Media players request ranges.
  const part = await fetch(document, { headers: { Range: 'bytes=1-2' } });
  expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([206, 'bytes 1-2/5', 'PD']);
  const rest = await fetch(document, { headers: { Range: 'bytes=3-' } });
  expect([rest.status, rest.headers.get('content-range'), await rest.text()]).toEqual([206, 'bytes 3-4/5', 'F-']);
  const beyond = await fetch(document, { headers: { Range: 'bytes=5-' } });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */5']);
  const head = await fetch(document, { method: 'HEAD' });
  expect([head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual(['5', 'bytes']);
});

it('reads nothing as long as nothing is written, however often others read', async () => {
  const reads: string[] = [];
  const unwatch = watchSnapshot(
    settings.snapshotPath,
    async () => undefined,
    (file) => {
      reads.push(file);
      return readDigest(file);
    },
  );
  for (let i = 0; i < 4; i++) {
    readDigest(settings.snapshotPath);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  unwatch();
  expect(reads).toHaveLength(1);
});

it('hands requests on to an origin of another process', async () => {
  const [origin, originUrl] = await listen(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += String(chunk);
    res.writeHead(201, { 'X-Seen': `${req.method} ${req.url} ${req.headers.authorization} ${body}` }).end('done');
  });
  const [front, frontUrl] = await listen(proxyTo(originUrl));
  const headers = { authorization: 'Token x' };
  const answer = await fetch(`${frontUrl}/rest/a?b=1`, { method: 'POST', headers, body: 'text' });
  expect([answer.status, answer.headers.get('x-seen'), await answer.text()]).toEqual([
    201,
    'POST /rest/a?b=1 Token x text',
    'done',
  ]);
  origin.closeAllConnections();
  await new Promise((resolve) => origin.close(resolve));
  expect((await fetch(`${frontUrl}/rest/a`)).status).toBe(502);
  front.close();
});

it('finds an origin that was started again at another address', async () => {
  const { startOrigin } = await loadOrigin();
  const start = () => startOrigin({ dataFolder: settings.originFolder, publicUrl: settings.siteUrl, log: () => {} });
  const first = await start();
  const { origin } = await openUpstreams(settings, () => undefined);
  const [front, frontUrl] = await listen(origin?.listener);
  const ask = (init?: RequestInit) => fetch(`${frontUrl}/rest/core/v2/posts`, init).then(({ status }) => status);
  expect([origin?.isOwn, await ask()]).toEqual([false, 200]);
  await first.close();
  expect(await ask()).toBe(502);
  const second = await start();
  // Forwarded with its body: the origin rejects it without a token.
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"title":"Holz"}' };
  expect([await ask(post), await ask()]).toEqual([401, 200]);
  front.close();
  await second.close();
});

it('ends an answer that the origin does not finish', async () => {
  const [origin, originUrl] = await listen((_req, res) => {
    res.writeHead(200, { 'Content-Length': '9' });
    res.write('half', () => res.destroy());
  });
  const [front, frontUrl] = await listen(proxyTo(originUrl));
  await expect(fetch(frontUrl).then((answer) => answer.text())).rejects.toThrow();
  origin.close();
  front.close();
});

it('knows the paths of the origin from those of the site', () => {
  const claimed = [
    '/api/partner/v1/',
    '/rest/core/v2/posts',
    '/rest',
    '/media/a.png',
    '/uploads/b.jpg',
    '/admin/',
    '/healthz',
  ];
  const ours = [
    '/',
    '/de-de/',
    '/restaurant/',
    '/media-kit/',
    '/api/other/',
    '/_images/x',
    '/manage/v1/',
    // Responses as files, which Digital Links refer to.
    recordPath('de-de', '9524010000016'),
    languageListPath(),
  ];
  expect(claimed.filter((place) => !isOriginPath(place, 'rest'))).toEqual([]);
  expect(ours.filter((place) => isOriginPath(place, 'rest'))).toEqual([]);
});
