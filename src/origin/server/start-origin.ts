import { type RequestListener, type ServerResponse, createServer, type Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import type { AddressInfo } from 'node:net';
import { SortimentError, portError } from '#contracts/index.ts';
import { requireOneHost } from '#contracts/user-info.ts';
import { seedOrigin } from '#origin/admin/seed/seed-origin.ts';
import { ensureSyncToken } from '#origin/platform/accounts/product-tokens.ts';
import { sealText } from '#origin/platform/accounts/sealed-texts.ts';
import { requestListener } from '#origin/platform/http/transport/request-listener.ts';
import { parseTrustedProxies, type TrustedProxies } from '#origin/platform/context/client-address.ts';
import type { OriginSettings } from '#origin/platform/context/origin-context.ts';
import {
  readReceivers,
  startSender,
  type Receiver,
  type ReceiverOptions,
} from '#origin/platform/events/start-sender.ts';
import { checkBucket, readBucket, type Bucket } from '#origin/platform/files/s3-files.ts';
import { createContext } from '#origin/platform/process/create-context.ts';
import { type OriginAddress, readOriginKey } from '#origin/platform/process/running-origin.ts';
import { openStore } from '#origin/platform/store/open-store.ts';
import type { OpenStore } from '#origin/platform/store/store.ts';
import { applyModuleMigrations } from '#origin/platform/store/apply-migrations.ts';
import {
  checkModules,
  type BackgroundWork,
  type NamespaceModule,
} from '#origin/platform/namespace/namespace-module.ts';
import { MODULES } from './modules.ts';
import { createOrigin } from './create-origin.ts';

export interface StartOriginOptions extends OriginSettings {
  /** Folder of the store, lock, key and files. */
  dataFolder: string;
  /** 0 selects a free port. `false` doesn't listen: mount `listener` in another server. @default 0 */
  port?: number | false | undefined;
  /** @default '127.0.0.1' */
  host?: string | undefined;
  /** Address in links. @default the listening address */
  publicUrl?: string | undefined;
  /** `postgres://…` address that replaces the embedded store. */
  databaseUrl?: string | undefined;
  /** Stores files instead of the data folder. @default the bucket named by FILES_BUCKET */
  bucket?: Bucket | undefined;
  /** File with the site's settings and users for the first start. */
  bootstrap?: string | undefined;
  /** Adds the demo content on the first start. @default false */
  demo?: boolean | undefined;
  /** Called before the demo content is added. */
  onDemo?: (() => void) | undefined;
  /** Number of proxies in front, or their addresses and ranges separated by commas. @default none */
  trustedProxies?: string | undefined;
  /** Maximum size of the response cache; 0 disables it. @default 64 MiB */
  cacheBytes?: number | undefined;
  /** Modules to serve. @default `MODULES` */
  modules?: readonly NamespaceModule[] | undefined;
  /** Webhook receivers, in addition to the one of ORIGIN_WEBHOOK_URL. */
  receivers?: readonly ReceiverOptions[] | undefined;
  log: (line: string) => void;
}

export interface RunningOrigin extends OriginAddress {
  /** Handles requests at the public address in any node:http server. */
  listener: RequestListener;
  /** Finishes requests, stops background work, closes the store and releases the lock. */
  close(): Promise<void>;
}

/** Time that requests may take after `close`. */
const DRAIN_MS = 10_000;

/**
 * Opens the store, seeds it on its first start, and serves both interfaces.
 *
 * @throws {SortimentError} those of `openStore`, PORT_TAKEN, ORIGIN_ADDRESS_MISSING, TRUSTED_PROXIES_INVALID,
 * ORIGIN_KEY_INVALID, MODULE_INVALID, MIGRATION_FAILED, BOOTSTRAP_INVALID, WEBHOOK_INVALID, BUCKET_INVALID,
 * BUCKET_UNREACHABLE, BUCKET_MISSING, BUCKET_REFUSED
 */
export async function startOrigin(options: StartOriginOptions): Promise<RunningOrigin> {
  checkModules(options.modules ?? MODULES);
  const trustedProxies = parseTrustedProxies(options.trustedProxies);
  const receivers = readReceivers(process.env, options.receivers);
  const bucket = options.bucket ?? readBucket(process.env);
  if (bucket) await checkBucket(bucket);
  const store = await openStore(options);
  try {
    return await serve({ ...options, bucket, trustedProxies }, store, receivers);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function serve(
  options: Omit<StartOriginOptions, 'trustedProxies'> & { trustedProxies: TrustedProxies },
  store: OpenStore,
  receivers: readonly Receiver[],
): Promise<RunningOrigin> {
  const { dataFolder, port = 0, host = '127.0.0.1', modules = MODULES, cacheBytes, log } = options;
  const ready = Promise.withResolvers<RequestListener>();
  // Listens early, because links need the address. Requests wait until the origin is ready.
  const { listener, drained } = drainRequests((request, response) => {
    void ready.promise.then((handle) => handle(request, response));
  });
  const listening = port === false ? undefined : await listen(listener, host, port);
  const url = listening?.url ?? options.publicUrl;
  const publicUrl = options.publicUrl ?? url;
  if (url === undefined || publicUrl === undefined) {
    const problem = 'The address of the origin is unknown, because it does not listen.';
    const hint = 'Set `publicUrl` to the address at which its listener is mounted.';
    throw new SortimentError('ORIGIN_ADDRESS_MISSING', problem, { hint });
  }
  const stopListening = async () => {
    listening?.server.close();
    await drained(DRAIN_MS);
    listening?.server.closeAllConnections();
  };
  try {
    const key = readOriginKey(dataFolder, process.env);
    await applyModuleMigrations(store, modules);
    const hasReceivers = receivers.length > 0;
    const context = createContext({ ...options, registrations: modules, store, key, publicUrl, hasReceivers });
    await seedOrigin(context, options);
    const work: BackgroundWork[] = [];
    for (const { start } of modules) if (start) work.push(await start(context));
    const productToken = await ensureSyncToken(context);
    const address = { url, publicUrl: context.publicUrl, restRoot: context.restRoot };
    store.announce({ ...address, sealedToken: Buffer.from(sealText(key, productToken)).toString('base64') });
    ready.resolve(requestListener(createOrigin(context, modules, cacheBytes).fetch));
    const sender = startSender(store.db, { receivers, log });
    const stop = async () => {
      await stopListening();
      for (const { stop: end } of work) await end();
      await sender.close();
      await store.close();
    };
    let closing: Promise<void> | undefined;
    const close = () => (closing ??= stop());
    return { ...address, productToken, listener, close };
  } catch (error) {
    listening?.server.close();
    listening?.server.closeAllConnections();
    throw error;
  }
}

/** Counts the pending requests of a listener, wherever it is mounted. */
function drainRequests(inner: RequestListener) {
  const open = new Set<ServerResponse>();
  const listener = requireOneHost((request, response) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    inner(request, response);
  });
  /** Resolves when no request is in progress, or after the given time. */
  const drained = async (atMostMs: number) => {
    for (const deadline = Date.now() + atMostMs; open.size > 0 && Date.now() < deadline;) await setTimeout(10);
  };
  return { listener, drained };
}

/**
 * Listens on a port; 0 selects a free one.
 *
 * @throws {SortimentError} PORT_TAKEN, PORT_REFUSED
 */
async function listen(listener: RequestListener, host: string, port: number): Promise<{ server: Server; url: string }> {
  const server = createServer(listener);
  // Longer than proxies wait (60 seconds by default), so that they never reuse a connection that is being closed.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(portError(error, host, port)));
    server.listen(port, host, resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return { server, url: `http://${nameOf(host)}:${actual}` };
}

/** Returns the host name for links. A server on all interfaces is reachable on the loopback address. */
function nameOf(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}
