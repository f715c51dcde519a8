import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { diskFiles } from '#origin/platform/files/disk-files.ts';
import { originFiles } from '../platform/process/create-context.ts';
import { startTestBucket } from '#origin/platform/files/testing/start-test-bucket.ts';
import { startTestServer } from '#origin/testing/test-server.ts';
import { serveFiles } from './create-origin.ts';

const outside = temporaryFolder();
const folder = join(outside, 'files');
mkdirSync(join(folder, 'a b'), { recursive: true });
writeFileSync(join(outside, 'secret.txt'), 'secret');
writeFileSync(join(folder, '.hidden'), 'hidden');
writeFileSync(join(folder, 'empty.txt'), '');
writeFileSync(join(folder, 'a b', 'ä.svg'), '<svg/>');
writeFileSync(join(folder, 'digits.txt'), '0123456789');
const modified = new Date('2026-01-02T03:04:05.600Z');
utimesSync(join(folder, 'digits.txt'), modified, modified);

const app = serveFiles(diskFiles(folder));
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.request(path, { method, headers });

test('serves a file with type, length and validators, and disables sniffing', async () => {
  const answer = await ask('/digits.txt');
  expect(await answer.text()).toBe('0123456789');
  expect(Object.fromEntries(answer.headers)).toEqual({
    'accept-ranges': 'bytes',
    'cache-control': 'no-cache',
    'content-length': '10',
    'content-type': 'text/plain; charset=utf-8',
    etag: `"a-${modified.getTime().toString(16)}"`,
    'last-modified': 'Fri, 02 Jan 2026 03:04:05 GMT',
    'x-content-type-options': 'nosniff',
  });
});

test.each([
  ['wn001.mp3', 'audio/mpeg', null],
  ['wn001.opus', 'audio/ogg;codecs=opus', null],
  ['wn001.M4A', 'audio/mp4', null],
  ['wn001.vtt', 'text/vtt; charset=utf-8', '*'],
  ['wn001.srt', 'application/x-subrip', '*'],
  ['wn001.chapters.json', 'application/json', '*'],
  ['wn001.psc', 'application/xml', '*'],
])('%s has the type that feeds say, in parts too', async (name, type, origin) => {
  writeFileSync(join(folder, name), '0123456789');
  const part = await ask(`/${name}`, { range: 'bytes=2-' });
  expect([part.status, part.headers.get('content-type'), await part.text()]).toEqual([206, type, '23456789']);
  expect(part.headers.get('access-control-allow-origin')).toBe(origin);
});

test('HEAD responds the same without a body; other methods are rejected', async () => {
  const answer = await ask('/digits.txt', {}, 'HEAD');
  expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '10', '']);
  const refused = await ask('/digits.txt', {}, 'DELETE');
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
});

test.each([
  ['bytes=2-4', 206, 'bytes 2-4/10', '234'],
  ['bytes=7-', 206, 'bytes 7-9/10', '789'],
  ['bytes=-3', 206, 'bytes 7-9/10', '789'],
  ['bytes=5-99', 206, 'bytes 5-9/10', '56789'],
  ['bytes=-99', 206, 'bytes 0-9/10', '0123456789'],
  ['bytes=10-', 416, 'bytes */10', ''],
  ['bytes=-0', 416, 'bytes */10', ''],
  ['bytes=4-2', 200, null, '0123456789'],
  ['bytes=0-1,4-5', 200, null, '0123456789'],
  ['lines=1-2', 200, null, '0123456789'],
])('Range: %s', async (range, status, contentRange, body) => {
  const answer = await ask('/digits.txt', { range });
  expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([
    status,
    contentRange,
    body,
  ]);
});

test('an unchanged file is not sent again', async () => {
  const etag = (await ask('/digits.txt')).headers.get('etag') ?? '';
  for (const headers of [
    { 'if-none-match': etag },
    { 'if-none-match': `"x", W/${etag}` },
    { 'if-none-match': '*' },
    { 'if-modified-since': 'Fri, 02 Jan 2026 03:04:05 GMT' },
  ]) {
    const answer = await ask('/digits.txt', headers);
    expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', etag]);
  }
  const other = { 'if-none-match': '"x"', 'if-modified-since': 'Fri, 02 Jan 2026 03:04:05 GMT' };
  expect((await ask('/digits.txt', other)).status).toBe(200);
  expect((await ask('/digits.txt', { 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' })).status).toBe(200);
});

test('a range of another version gets the whole file', async () => {
  const etag = (await ask('/digits.txt')).headers.get('etag') ?? '';
  expect((await ask('/digits.txt', { range: 'bytes=0-1', 'if-range': etag })).status).toBe(206);
  expect((await ask('/digits.txt', { range: 'bytes=0-1', 'if-range': '"old"' })).status).toBe(200);
});

test('an empty file, names with spaces and umlauts, markup without rights', async () => {
  expect([(await ask('/empty.txt')).status, await (await ask('/empty.txt')).text()]).toEqual([200, '']);
  const svg = await ask('/a%20b/%C3%A4.svg');
  expect(await svg.text()).toBe('<svg/>');
  expect(svg.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
});

test.each([
  '/nothing.txt',
  '/a%20b',
  '/a%20b/',
  '/.hidden',
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/a%20b/..%5c..%5csecret.txt',
  '/a%20b/%2e%2e/%2e%2e/secret.txt',
  '/digits.txt%00.png',
  '/%E0%A4%A',
  '//etc/passwd',
])('%s is not there', async (path) => {
  const answer = await ask(path);
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain('secret');
});

test('a symbolic link out of the folder is not followed', async () => {
  symlinkSync(join(outside, 'secret.txt'), join(folder, 'link.txt'));
  expect((await ask('/link.txt')).status).toBe(404);
});

test('a disconnected client aborts the request to the bucket', async () => {
  const bucket = await startTestBucket();
  const { media } = originFiles(temporaryFolder(), bucket);
  await media.put('digits.txt', Buffer.from('0123456789'));
  bucket.pauses.push(new Promise(() => undefined));
  const server = await startTestServer(serveFiles(media));
  const leaving = new AbortController();
  const { body } = await fetch(`${server.url}/digits.txt`, { signal: leaving.signal });
  await body?.getReader().read();
  expect(bucket.givenUp).toEqual([]);
  leaving.abort();
  await vi.waitFor(() => expect(bucket.givenUp).toEqual(['GET /files/media/digits.txt']), 20_000);
  await server.close();
  await bucket.close();
});
