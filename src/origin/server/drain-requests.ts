import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';

export interface DrainableListener {
  listener: RequestListener;
  /** Resolves when no request is being answered, or after the given time. */
  drained(atMostMs: number): Promise<void>;
}

/** Counts the requests that a listener has under way, wherever it is mounted. */
export function drainRequests(inner: RequestListener): DrainableListener {
  const open = new Set<ServerResponse>();
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    inner(request, response);
  };
  const drained = async (atMostMs: number) => {
    for (const giveUpAt = Date.now() + atMostMs; open.size > 0 && Date.now() < giveUpAt;) await setTimeout(10);
  };
  return { listener, drained };
}
