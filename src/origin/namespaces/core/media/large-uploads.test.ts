import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Role } from '#contracts/core/user-routes.ts';
import { measureBuffers } from '#files/testing/measure-buffers.ts';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword, type TestSite } from '#origin/testing/open-test-site.ts';

const MB = 1024 * 1024;
const CHUNK = Buffer.alloc(256 * 1024, 'x');
const FORM_HEAD = '--b\r\nContent-Disposition: form-data; name="file"; filename="large.txt"\r\n\r\n';
const FORM = 'multipart/form-data; boundary=b';
const FILE = { 'content-type': 'text/plain', 'content-disposition': 'attachment; filename=large.txt' };

let site: TestSite;
beforeAll(async () => void (site = await openTestSite()), OPEN_TIMEOUT_MS);
afterAll(() => site.close());

interface Sent {
  status: number;
  body: { code?: string; message?: string; id?: number };
  /** Bytes sent before the response arrived. */
  sentBytes: number;
}

/** Sends a body in chunks of 256 kB until the response arrives. */
function send(
  megabytes: number,
  {
    headers,
    as,
    pauseMs = 0,
    path = 'media',
  }: { headers: Record<string, string>; as?: Role; pauseMs?: number; path?: string },
): Promise<Sent> {
  const authorization = as && `Basic ${Buffer.from(`${as}:${testPassword(as)}`).toString('base64')}`;
  let sentBytes = 0;
  return new Promise((resolve, reject) => {
    let isAnswered = false;
    const sending = request(`${site.context.publicUrl}/rest/core/v2/${path}`, {
      method: 'POST',
      headers: { ...headers, ...(authorization ? { authorization } : {}) },
    });
    sending.on('response', (answer) => {
      isAnswered = true;
      const sent = { sentBytes };
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () =>
        resolve({ ...sent, status: answer.statusCode ?? 0, body: JSON.parse(text) as Sent['body'] }),
      );
    });
    // After the answer the server may close the connection.
    sending.on('error', (error) => (isAnswered ? undefined : reject(error)));
    const next = () => {
      if (isAnswered) return sending.destroy();
      if (sentBytes >= megabytes * MB) return sending.end(headers['content-type'] === FORM ? '\r\n--b--\r\n' : '');
      sentBytes += CHUNK.length;
      return sending.write(CHUNK, () => setTimeout(next, pauseMs));
    };
    if (headers['content-type'] === FORM) sending.write(FORM_HEAD);
    next();
  });
}

describe('who may not upload', () => {
  test.each([
    ['a form', FORM, undefined, 401],
    ['a file', 'text/plain', undefined, 401],
    ['a form', FORM, 'contributor', 403],
  ] as const)('is told so before %s is read (%s, %s)', async (_, type, as, status) => {
    const headers = { ...FILE, 'content-type': type, 'content-length': String(60 * MB) };
    const { answer: sent, grownBytes } = await measureBuffers(() =>
      send(60, { headers, ...(as ? { as } : {}), pauseMs: 20 }),
    );
    expect([sent.status, sent.body.code]).toEqual([status, 'rest_cannot_create']);
    expect(sent.sentBytes).toBeLessThan(20 * MB);
    expect(grownBytes).toBeLessThan(16 * MB);
  });

  test('hears first what is wrong with the address', async () => {
    const headers = { 'content-type': FORM, 'content-length': String(60 * MB) };
    const { status, body } = await send(60, { headers, pauseMs: 20, path: 'media?status=none' });
    expect([status, body.code]).toEqual([400, 'rest_invalid_param']);
  });
});

describe('what is too large', () => {
  const tooLarge = {
    code: 'rest_upload_file_too_big',
    message: 'The file is larger than 64 MB. Upload a smaller file.',
  };

  test.each([
    ['a form', FORM, 80],
    ['a file', 'text/plain', 65],
  ])('is refused by the length that %s tells', async (_, type, megabytes) => {
    const headers = { ...FILE, 'content-type': type, 'content-length': String(megabytes * MB) };
    const sent = await send(megabytes, { headers, as: 'author', pauseMs: 20 });
    expect([sent.status, sent.body]).toMatchObject([413, tooLarge]);
    expect(sent.sentBytes).toBeLessThan(20 * MB);
  });

  test.each([
    ['a form', FORM],
    ['a file', 'text/plain'],
  ])('is refused where %s passes the limit, and was never in memory', async (_, type) => {
    const { answer: sent, grownBytes } = await measureBuffers(() =>
      send(200, { headers: { ...FILE, 'content-type': type }, as: 'author' }),
    );
    expect([sent.status, sent.body]).toMatchObject([413, tooLarge]);
    expect(sent.sentBytes).toBeLessThan(75 * MB);
    expect(grownBytes).toBeLessThan(32 * MB);
  });

  test.each(['posts', 'media'])('of JSON is refused by %s', async (path) => {
    const headers = { 'content-type': 'application/json' };
    for (const length of [{}, { 'content-length': String(11 * MB) }]) {
      const { status, body } = await send(11, { headers: { ...headers, ...length }, as: 'author', path });
      expect([status, body]).toMatchObject([
        413,
        {
          code: 'rest_body_too_large',
          message: 'The body is larger than 10 MB. Send less data per request.',
        },
      ]);
    }
  });
});

describe('a client that reads no answer before all is sent', () => {
  const as = `Basic ${Buffer.from(`author:${testPassword('author')}`).toString('base64')}`;
  const PIECES = 80;

  test.each([
    ['content-length', 'keep-alive'],
    ['content-length', 'close'],
    ['chunked', 'keep-alive'],
    ['chunked', 'close'],
  ] as const)(
    'receives the refusal of a body that is too large, however slow it is (%s, %s)',
    async (form, connection) => {
      const inPieces = form === 'chunked';
      const { hostname, port } = new URL(site.context.publicUrl);
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      const failed = new Promise<never>((_, reject) => socket.once('error', reject));
      const write = (data: string | Buffer) =>
        Promise.race([failed, new Promise<void>((sent) => void socket.write(data, () => sent()))]);
      const length = inPieces ? 'transfer-encoding: chunked' : `content-length: ${PIECES * CHUNK.length}`;
      const common = `host: ${hostname}\r\nauthorization: ${as}\r\nconnection: ${connection}`;
      await write(
        `POST /rest/core/v2/posts HTTP/1.1\r\n${common}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`,
      );
      for (let piece = 0; piece < PIECES; piece++) {
        if (inPieces) await write(`${CHUNK.length.toString(16)}\r\n`);
        await write(CHUNK);
        if (inPieces) await write('\r\n');
        await sleep(20);
      }
      if (inPieces) await write('0\r\n\r\n');
      // The connection serves for more.
      if (connection === 'keep-alive')
        await write(`GET /rest/core/v2/posts HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
      let text = '';
      for await (const chunk of socket) text += String(chunk);
      expect(text).toMatch(/^HTTP\/1\.1 413 .*"rest_body_too_large"/s);
      expect(text.split('HTTP/1.1 200 ')).toHaveLength(connection === 'keep-alive' ? 2 : 1);
    },
  );
});

test('of large files that come at once, two are in memory', async () => {
  const { answer: sent, grownBytes } = await measureBuffers(() =>
    Promise.all(
      [1, 2, 3, 4, 5].map((n) =>
        send(20, { headers: { ...FILE, 'content-type': n % 2 ? FORM : 'text/plain' }, as: 'author' }),
      ),
    ),
  );
  expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  process.stdout.write(`    memory of five uploads of 20 MB: ${Math.round(grownBytes / MB)} MB\n`);
  expect(grownBytes).toBeLessThan(75 * MB);
});
