import type { IncomingMessage, ServerResponse } from 'node:http';

/** As long as Node waits for the next request on a connection. */
const SILENT_MS = 5000;

/**
 * Reads on when a request was answered before all of its body had come, as most refusals are. Many clients send all of
 * a body before they look for an answer, and find none if the connection was closed under them.
 *
 * It ends with the body, after a silence of some seconds, or when the server's `requestTimeout` is over.
 */
export function readRest(request: IncomingMessage, response: ServerResponse): void {
  // Before Node's own listener, which closes connections that are used once.
  response.prependOnceListener('finish', () => {
    if (request.complete) return;
    // Nobody takes the body any more, but what took it before would pause it again.
    request.removeAllListeners('data');
    request.resume();
    const { socket } = request;
    const { destroySoon } = socket;
    socket.destroySoon = () => {
      socket.end();
      socket.setTimeout(SILENT_MS);
      request.once('close', () => socket.destroy());
    };
    request.once('close', () => (socket.destroySoon = destroySoon));
  });
}
