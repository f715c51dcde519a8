import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { afterEach, expect, test } from 'vitest';
import { drainRequest } from './request-listener.ts';

let close: (() => void) | undefined;
afterEach(() => close?.());

async function serve(listener: RequestListener, { keepAliveTimeout = 5000 } = {}): Promise<number> {
  const server = createServer({ keepAliveTimeout, keepAliveTimeoutBuffer: 99 }, (request, response) => {
    drainRequest(request, response);
    listener(request, response);
  });
  await new Promise<void>((opened) => void server.listen(0, '127.0.0.1', opened));
  close = () => server.close().closeAllConnections();
  return (server.address() as AddressInfo).port;
}

/** Sends one text after the other, then reads all there is. */
async function send(port: number, texts: readonly string[], pauseMs = 20): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  for (const text of texts) {
    socket.write(text);
    await sleep(pauseMs);
  }
  let answer = '';
  socket.on('error', () => undefined);
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

const HEAD = 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 6\r\n';

test('refused bodies leave no listeners on their connection', async () => {
  const seen = new Set<string>();
  const port = await serve((request, response) => {
    const { socket } = request;
    seen.add(JSON.stringify([socket.listenerCount('close'), socket.listenerCount('data'), `${socket.destroySoon}`]));
    response.writeHead(413, { 'content-length': 0 }).end();
  });
  const requests = Array.from({ length: 20 }, () => [`${HEAD}\r\nabc`, 'def']).flat();
  const answer = await send(port, [...requests, `${HEAD}connection: close\r\n\r\nabc`, 'def']);
  expect(answer.match(/HTTP\/1\.1 413 /g)).toHaveLength(21);
  expect(seen.size).toBe(1);
});

test('a handler that cancels a body ends that connection only: the server goes on', async () => {
  const answers = getRequestListener(
    async (request) => {
      await request.body?.cancel();
      return new Response(undefined, { status: 413 });
    },
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  );
  const port = await serve((request, response) => void answers(request, response));
  await send(port, [`${HEAD}connection: close\r\n\r\nabc`, 'def']);
  expect(await send(port, ['POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'])).toMatch(
    /413/,
  );
});

test('a client that pauses for longer than idle connections live receives the response', async () => {
  const refuse: RequestListener = (_, response) => void response.writeHead(413, { 'content-length': 0 }).end();
  const port = await serve(refuse, { keepAliveTimeout: 1 });
  expect(await send(port, [`${HEAD}\r\nabc`, 'd', 'ef'], 300)).toMatch(/413/);
});
