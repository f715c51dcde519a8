import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AnswerReader, Connection } from './connection.ts';

const ANSWERS = [
  ['of a known length', 200, 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\nX: 1\r\n\r\n{"a":1}'],
  ['in chunks', 201, 'HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n7\r\n{"a":1}\r\n2\r\n10\r\n0\r\n\r\n'],
  ['empty, in chunks', 200, 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['without a body', 304, 'HTTP/1.1 304 Not Modified\r\nContent-Length: 7\r\nETag: "a"\r\n\r\n'],
] as const;

describe.each(ANSWERS)('an answer %s', (_, status, text) => {
  test.each([1, 3, 5, 1000])('in pieces of at most %i bytes', (most) => {
    const reader = new AnswerReader();
    const bytes = Buffer.from(text);
    for (let turn = 0; turn < 2; turn += 1) {
      const read = [];
      for (let at = 0; at < bytes.length; at += most) read.push(reader.read(bytes.subarray(at, at + most))?.status);
      expect(read).toEqual([...read.slice(1).map(() => undefined), status]);
    }
  });
});

describe('a connection', () => {
  const server = createServer((request, response) => {
    void request.toArray().then((pieces) => {
      const sent = Buffer.concat(pieces as Buffer[]).toString();
      response.writeHead(sent === 'ä' && request.headers['x-a'] === 'b' ? 201 : request.url === '/' ? 200 : 404);
      response.end(`{"long":"${'x'.repeat(200_000)}"}`);
    });
  });
  let url = '';
  beforeAll(async () => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  test('asks for one thing after the other, and tells what was refused', async () => {
    const connection = await Connection.open(url);
    const posted = { method: 'POST', path: '/posts', headers: { 'x-a': 'b' }, status: 201 } as const;
    await connection.fire({ method: 'GET', path: '/' });
    await connection.fire({ ...posted, body: 'ä' });
    await connection.fire({ ...posted, body: Buffer.from('ä') });
    await expect(connection.fire({ method: 'GET', path: '/no' })).rejects.toThrow(/^GET \/no was answered 404: HTTP/);
    await connection.fire({ method: 'GET', path: '/' });
    connection.close();
  });

  test('tells when it is closed', async () => {
    const connection = await Connection.open(url);
    const fired = connection.fire({ method: 'GET', path: '/' });
    server.closeAllConnections();
    await expect(fired).rejects.toThrow();
  });
});
