import type { IncomingMessage, ServerResponse } from 'node:http';

/** After so long, or so many bytes, the connection is closed: its client isn't waiting for an answer. */
const MAX_READ_MS = 60_000;
const MAX_READ_BYTES = 256 * 1024 * 1024;

/**
 * Reads the rest of a body that was answered before its end, as most refusals are. Many clients look for an answer only
 * after they have sent everything, and find none if the connection was closed meanwhile. Call it before the request is
 * answered; after that, nothing more of the body can be read.
 */
export function readRest(request: IncomingMessage, response: ServerResponse): void {
  // Before Node's own listener, which calls `destroySoon` on a connection that serves for one request.
  response.prependOnceListener('finish', () => {
    if (request.complete || request.destroyed) return;
    const { socket } = request;
    const timer = setTimeout(() => socket.destroy(), MAX_READ_MS).unref();
    let bytes = 0;
    // What took it before would pause it again.
    request.removeAllListeners('data').on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) socket.destroy();
    });
    request.resume();
    // Closes one half: the answer goes out, and the rest can still come in.
    const { destroySoon } = socket;
    let wantsClose = false;
    socket.destroySoon = () => {
      wantsClose = true;
      socket.end();
    };
    request.once('close', () => {
      clearTimeout(timer);
      socket.destroySoon = destroySoon;
      if (wantsClose) socket.destroy();
    });
  });
}
