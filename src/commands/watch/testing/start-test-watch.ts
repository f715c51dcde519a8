import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { Webhook } from 'standardwebhooks';
import type { Settings } from '#config/index.ts';
import { watchCatalogue, type WatchCatalogueOptions } from '../watch-catalogue.ts';
import type { WatchEvent } from '../watch-event.ts';

export const WATCH_SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

type Named<N extends WatchEvent['event']> = Extract<WatchEvent, { event: N }>;

export interface TestWatch {
  url: string;
  events: WatchEvent[];
  /** Resolves with the n-th event of a name, from 1. */
  seen<N extends WatchEvent['event']>(name: N, count?: number): Promise<Named<N>>;
  count(name: WatchEvent['event']): number;
  post(options?: WebhookOptions): Promise<Response>;
  stop(): Promise<void>;
}

export interface WebhookOptions {
  id?: string;
  secret?: string;
  agoSeconds?: number;
  body?: string;
  headers?: Record<string, string>;
}

const ignore = (): void => undefined;

/** Starts a watch in this process with an hour between its runs, and a sender of signed webhooks. */
export async function startTestWatch(
  settings: Settings,
  options: Partial<WatchCatalogueOptions> = {},
): Promise<TestWatch> {
  const stop = new AbortController();
  const events: WatchEvent[] = [];
  const emitted = new EventEmitter();
  const named = <N extends WatchEvent['event']>(name: N) =>
    events.filter((event): event is Named<N> => event.event === name);
  const ended = watchCatalogue(settings, {
    intervalMs: 3_600_000,
    host: '127.0.0.1',
    port: 0,
    secrets: [WATCH_SECRET],
    quietMs: 20,
    signal: stop.signal,
    emit: (event) => {
      events.push(event);
      emitted.emit('event');
    },
    logger: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    environment: {},
    ...options,
  });
  // Not `vi.waitFor`: if it kept polling after a failed start, it would move the fake clock of a later test.
  const seen: TestWatch['seen'] = async (name, count = 1) => {
    const signal = AbortSignal.timeout(30_000);
    for (;;) {
      const event = named(name)[count - 1];
      if (event) return event;
      await once(emitted, 'event', { signal }).catch(() => {
        throw new Error(`no ${name} number ${count} among:\n${JSON.stringify(events, undefined, 1)}`);
      });
    }
  };
  const { url } = await Promise.race([seen('started'), ended.then(() => Promise.reject(new Error('it has ended')))]);
  return {
    url,
    events,
    seen,
    count: (name) => named(name).length,
    post: (webhook) => postWebhook(url, webhook),
    stop: async () => {
      stop.abort();
      await ended;
    },
  };
}

function postWebhook(
  url: string,
  { id = `msg_${randomUUID()}`, secret = WATCH_SECRET, agoSeconds = 0, body = '{}', headers = {} }: WebhookOptions = {},
): Promise<Response> {
  const at = new Date(Date.now() - agoSeconds * 1000);
  return fetch(`${url}/hooks/changed`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, body),
      ...headers,
    },
  });
}
