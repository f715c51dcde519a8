import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { limitResults } from '#origin/platform/store/store-limits.ts';

/** Creates a listener for node:http that limits the memory of reads and drains rejected bodies. */
export function requestListener(
  handle: (request: Request, bindings: HttpBindings) => Response | Promise<Response>,
): RequestListener {
  return getRequestListener(
    (request, env) => {
      // The origin serves HTTP/1.1 only.
      const bindings = env as HttpBindings;
      drainRequest(bindings.incoming, bindings.outgoing);
      const isReading = request.method === 'GET' || request.method === 'HEAD';
      return isReading ? limitResults(() => handle(request, bindings)) : handle(request, bindings);
    },
    // The adapter's own cleanup closes the connection after half a second.
    { overrideGlobalObjects: false, autoCleanupIncoming: false },
  );
}

/** Limits after which the connection is closed. */
const MAX_READ_MS = 60_000;
const MAX_READ_BYTES = 256 * 1024 * 1024;

/**
 * Reads the rest of a request body after the response, as most error responses are sent before the end of the body.
 *
 * Many clients read the response only after they have sent everything, and would see a closed connection instead.
 * Call it before responding; the body can't be read afterwards.
 */
export function drainRequest(request: IncomingMessage, response: ServerResponse): void {
  // Runs before Node's own listener, which calls `destroySoon` on connections for a single request.
  response.prependOnceListener('finish', () => {
    if (request.complete || request.destroyed) return;
    const { socket } = request;
    const timer = setTimeout(() => socket.destroy(), MAX_READ_MS).unref();
    let bytes = 0;
    // The previous consumer would pause the stream again.
    request.removeAllListeners('data').on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > MAX_READ_BYTES) socket.destroy();
    });
    request.resume();
    // Node sets its keep-alive timeout after `finish`; a client that pauses for longer would lose the response.
    let idleMs: number | undefined;
    setImmediate(() => {
      if (request.complete) return;
      idleMs = socket.timeout ?? 0;
      socket.setTimeout(MAX_READ_MS);
    });
    // Closes one half only: the response is flushed while the rest of the body arrives.
    const { destroySoon } = socket;
    let shouldClose = false;
    socket.destroySoon = () => {
      shouldClose = true;
      socket.end();
    };
    request.once('close', () => {
      clearTimeout(timer);
      if (idleMs !== undefined) socket.setTimeout(idleMs);
      socket.destroySoon = destroySoon;
      if (shouldClose) socket.destroy();
    });
  });
}
