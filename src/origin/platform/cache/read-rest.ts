import type { IncomingMessage, ServerResponse } from 'node:http';

/** Who sends for longer, or more, waits for no answer. */
const LONGEST_MS = 60_000;
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Reads on when a request was answered before all of its body had come, as most refusals are. Many clients send all of
 * a body before they look for an answer, and find none if the connection was closed under them. Whoever answers has
 * read by then what it wants of the body: nothing more of it can be read.
 */
export function readRest(request: IncomingMessage, response: ServerResponse): void {
  // Before Node's own listener, which closes connections that are used once.
  response.prependOnceListener('finish', () => {
    if (request.complete || request.destroyed) return;
    const { socket } = request;
    const timer = setTimeout(() => socket.destroy(), LONGEST_MS).unref();
    let bytes = 0;
    // What took it before would pause it again.
    request.removeAllListeners('data').on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) socket.destroy();
    });
    request.resume();
    const { destroySoon } = socket;
    let isLast = false;
    socket.destroySoon = () => {
      isLast = true;
      socket.end();
    };
    request.once('close', () => {
      clearTimeout(timer);
      socket.destroySoon = destroySoon;
      if (isLast) socket.destroy();
    });
  });
}
