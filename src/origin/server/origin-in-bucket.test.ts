import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyDemoFiles } from '#origin/admin/seed/demo-content.ts';
import { originFiles } from '../platform/process/create-context.ts';
import { startTestBucket, type TestBucket } from '#origin/platform/files/testing/start-test-bucket.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { startOrigin, type RunningOrigin } from './index.ts';

const dataFolder = temporaryFolder();
const bootstrap = join(dataFolder, 'bootstrap.json');
const applicationPassword = '8c69 76e5 b541 0415 bde9 08bd';
const admin = { login: 'admin', email: 'a@example.test', name: 'Admin', role: 'administrator', applicationPassword };
writeFileSync(bootstrap, JSON.stringify({ site: { name: 'S', description: '', timezone: 'UTC' }, users: [admin] }));
const headers = { authorization: `Basic ${Buffer.from(`admin:${applicationPassword}`).toString('base64')}` };

let bucket: TestBucket;
let origin: RunningOrigin;
const start = (folder: string) => startOrigin({ dataFolder: folder, bootstrap, bucket, log: () => undefined });
beforeAll(async () => {
  bucket = await startTestBucket({ knowsConditions: true });
  origin = await start(dataFolder);
});
afterAll(async () => {
  await origin.close();
  await bucket.close();
});

interface MediaItem {
  id: number;
  source_url: string;
  media_details: { sizes: Record<string, { source_url: string }> };
}

const ask = async (method: string, path: string, more: RequestInit = {}) => {
  const answer = await fetch(`${origin.url}/rest/core/v2/media${path}`, {
    ...more,
    method,
    headers: { ...headers, ...(more.headers as Record<string, string> | undefined) },
  });
  return { status: answer.status, body: (await answer.json()) as MediaItem };
};

test('an image is stored, served, measured and deleted in the bucket, and never on this machine', async () => {
  const picture = await sharp({ create: { width: 400, height: 200, channels: 3, background: '#336699' } })
    .jpeg()
    .toBuffer();
  const { status, body } = await ask('POST', '', {
    body: new Uint8Array(picture),
    headers: { 'content-disposition': 'attachment; filename="roof.jpg"' },
  });
  expect(status).toBe(201);
  expect(existsSync(join(dataFolder, 'files', 'uploads'))).toBe(false);

  const whole = await fetch(body.source_url);
  expect(Buffer.from(await whole.arrayBuffer())).toEqual(picture);
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(picture.length),
    'accept-ranges': 'bytes',
    'last-modified': expect.stringMatching(/ GMT$/),
  });
  const etag = whole.headers.get('etag') ?? '';
  const part = await fetch(body.source_url, { headers: { range: 'bytes=-10', 'if-range': etag } });
  expect([part.status, part.headers.get('content-range')]).toEqual([
    206,
    `bytes ${picture.length - 10}-${picture.length - 1}/${picture.length}`,
  ]);
  expect(Buffer.from(await part.arrayBuffer())).toEqual(picture.subarray(-10));
  expect((await fetch(body.source_url, { headers: { range: 'bytes=999999-' } })).status).toBe(416);
  expect((await fetch(body.source_url, { headers: { 'if-none-match': etag } })).status).toBe(304);
  const head = await fetch(body.source_url, { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(picture.length)]);

  const addresses = [body.source_url, ...Object.values(body.media_details.sizes).map(({ source_url }) => source_url)];
  const sizes = await fetch(`${origin.url}/rest/site-health/v1/directory-sizes`, { headers });
  expect(await sizes.json()).toMatchObject({ uploads_size: { raw: expect.any(Number) } });
  const statuses = async () => Promise.all(addresses.map(async (address) => (await fetch(address)).status));
  expect(await statuses()).toEqual(addresses.map(() => 200));
  await ask('DELETE', `/${body.id}?force=true`);
  expect(await statuses()).toEqual(addresses.map(() => 404));
});

test('simultaneous uploads get different names', async () => {
  const uploads = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      ask('POST', '', { body: `text ${n}`, headers: { 'content-disposition': 'attachment; filename=same.txt' } }),
    ),
  );
  const texts = await Promise.all(uploads.map(async ({ body }) => (await fetch(body.source_url)).text()));
  expect(texts).toEqual(['text 1', 'text 2', 'text 3', 'text 4']);
});

test('hidden files stay hidden', async () => {
  const { uploads } = originFiles('', bucket);
  await uploads.put('.pending/a.json', Buffer.from('{}'));
  for (const path of ['.pending/a.json', '2026/%2e%2e/.pending/a.json', 'nothing.png', '', '2026'])
    expect((await fetch(`${origin.url}/uploads/${path}`)).status).toBe(404);
});

test('an origin without its bucket does not start', async () => {
  const fresh = temporaryFolder();
  const missing = { ...bucket, address: bucket.address.replace(/files$/, 'none') };
  await expect(startOrigin({ dataFolder: fresh, bucket: missing, log: () => undefined })).rejects.toMatchObject({
    code: 'BUCKET_MISSING',
  });
  expect(existsSync(join(fresh, 'lock'))).toBe(false);
});

test("the demo's files are stored there", async () => {
  const folder = temporaryFolder();
  for (const path of ['media/de', 'media/motifs']) mkdirSync(join(folder, path), { recursive: true });
  writeFileSync(join(folder, 'media/de/sheet.pdf'), 'sheet');
  cpSync('content/demo/media/motifs/blower-door.jpg', join(folder, 'media/motifs/a.jpg'));
  const place = { files: originFiles('', bucket) };
  const media = [{ key: 'a', title: {}, alt: {}, caption: {}, description: {} }];
  await copyDemoFiles(folder, { media, podcast: { shows: [], episodes: [] } }, place);
  expect(await (await fetch(`${origin.url}/media/de/sheet.pdf`)).text()).toBe('sheet');
  for (const name of ['a-de-de.jpg', 'a-fr-fr-150x150.jpg']) {
    const response = await fetch(`${origin.url}/uploads/2026/01/${name}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  }
});
