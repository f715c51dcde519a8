import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBucketClient, readBucket, checkBucket, listKeys, s3Files } from './s3-files.ts';
import { startTestBucket, type TestBucket } from './testing/start-test-bucket.ts';

let bucket: TestBucket;
beforeAll(async () => void (bucket = await startTestBucket({ knowsConditions: true })));
afterAll(() => bucket.close());
const bytes = Buffer.from('x');

test('a list is read to its end, page by page', async () => {
  const files = s3Files(bucket, 'pages');
  await Promise.all(Array.from({ length: 25 }, (_, n) => files.put(`p/${n}`, bytes)));
  bucket.asked.length = 0;
  const keys: string[] = [];
  for await (const { key } of listKeys(createBucketClient(bucket), 'pages/p/', { delimiter: '/', 'max-keys': '10' }))
    keys.push(key);
  expect(new Set(keys).size).toBe(25);
  expect(bucket.asked).toEqual(['GET /files/', 'GET /files/', 'GET /files/']);
});

test('retries temporary failures', async () => {
  const files = s3Files(bucket, 'moments');
  bucket.failures.push(503, 500, 429);
  await files.put('a', bytes);
  expect(await files.read('a')).toEqual(bytes);
});

test('a file is added by who wrote it, though the answer was lost', async () => {
  const conditional = await startTestBucket({ knowsConditions: true });
  const files = s3Files(conditional, 'lost');
  await files.add('first', bytes);
  conditional.lostAnswers.push(503);
  expect(await files.add('a', bytes)).toBe(true);
  expect(await files.add('a', bytes)).toBe(false);
  await conditional.close();
});

test('a file may take longer than its server may take to begin with it', async () => {
  const timeoutMs = 500;
  await s3Files(bucket, 'slow').put('a', Buffer.from('0123456789'));
  const files = s3Files(bucket, 'slow', { timeoutMs });
  const pause = Promise.withResolvers<void>();
  bucket.pauses.push(pause.promise);
  const body = new Response(await (await files.open('a'))?.stream()).text();
  await sleep(2 * timeoutMs);
  pause.resolve();
  expect(await body).toBe('0123456789');
});

test('a silent server times out, for files too', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/files`;
  const asked = createBucketClient({ ...bucket, address }, 20)('GET', 'a', { isStreamed: true });
  await expect(asked).rejects.toMatchObject({
    code: 'BUCKET_UNREACHABLE',
    message: `[GET] "${address}/a": no response: Took longer than 20 ms.`,
  });
  silent.close();
});

test('rejected requests have a hint, and the key stays secret', async () => {
  bucket.failures.push(501);
  await expect(s3Files(bucket, 'x').put('a', bytes)).rejects.toMatchObject({
    code: 'BUCKET_FAILED',
    message: `[PUT] "${bucket.address}/x/a": 501`,
  });
  const wrong = { ...bucket, secretKey: 'hush-hush' };
  const refused: unknown = await checkBucket(wrong).catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: 'BUCKET_REFUSED',
    message: expect.stringMatching(/^\[GET\] "http.*\/files": 403 SignatureDoesNotMatch /),
    hint: expect.stringContaining('FILES_SECRET_KEY'),
  });
  expect(JSON.stringify(refused)).not.toContain('hush-hush');
  await expect(s3Files(wrong, 'x').has('a')).rejects.toMatchObject({ code: 'BUCKET_REFUSED' });
});

test('a bucket that is not there, and a server that is not', async () => {
  await expect(checkBucket({ ...bucket, address: bucket.address.replace(/files$/, 'none') })).rejects.toMatchObject({
    code: 'BUCKET_MISSING',
    message: expect.stringContaining('404 NoSuchBucket'),
    hint: 'Create the bucket, or correct FILES_BUCKET.',
  });
  const gone = await startTestBucket();
  await gone.close();
  await expect(checkBucket(gone)).rejects.toMatchObject({
    code: 'BUCKET_UNREACHABLE',
    message: expect.stringContaining('ECONNREFUSED'),
  });
  await expect(checkBucket(bucket)).resolves.toBeUndefined();
});

test('the environment names it', () => {
  const given = { FILES_BUCKET: 'https://s3.example.com/files/', FILES_ACCESS_KEY: 'a', FILES_SECRET_KEY: 'b' };
  expect(readBucket({})).toBeUndefined();
  expect(readBucket({ ...given, FILES_BUCKET: '' })).toBeUndefined();
  expect(readBucket({ ...given, FILES_REGION: '' })).toEqual({
    address: 'https://s3.example.com/files',
    region: 'us-east-1',
    accessKey: 'a',
    secretKey: 'b',
  });
  expect(() => readBucket({ ...given, FILES_BUCKET: 'https://a:geheim@s3.example.com/files' })).toThrow(
    expect.objectContaining({
      code: 'BUCKET_INVALID',
      message: expect.stringMatching(/^(?![^]*geheim)[^]*FILES_BUCKET contains a user name or password/),
    }),
  );
  expect(() => readBucket({ FILES_BUCKET: 'files', FILES_SECRET_KEY: 'b' })).toThrow(
    expect.objectContaining({
      code: 'BUCKET_INVALID',
      message: expect.stringMatching(/FILES_BUCKET.*is not an http\(s\) address[\s\S]*FILES_ACCESS_KEY.*is missing/),
    }),
  );
});
