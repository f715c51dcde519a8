import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Settings, Upstreams } from '#config/index.ts';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { findRunningOrigin, loadOrigin } from '#origin/server/load-origin.ts';
import { openSnapshot } from '#snapshot/index.ts';
import type { SyncLogger, SyncReport } from '#sync/index.ts';
import { hasDemo, hasStore, mayBeginWithDemo, noteDemoBegun } from './may-begin-with-demo.ts';

/** Connection headers end at each hop (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const DEMO_STARTS =
  'No upstreams are set: starting the demo catalogue (remove its content with `npm run origin -- demo remove`).';

/** Codes of a snapshot that a sync rebuilds. */
const REBUILT_BY_SYNC = ['SNAPSHOT_MISSING', 'SNAPSHOT_OUTDATED'];

/**
 * Makes sure that there is a snapshot to read: an existing one is left alone, however old it is.
 * @param open How to come by the upstreams; what it gives is closed afterwards.
 * @returns The report of the sync, if one was needed.
 * @throws SortimentError SNAPSHOT_MISSING when there is none and the network may not be touched.
 */
export async function ensureSnapshot(
  settings: Settings,
  logger: SyncLogger,
  open: typeof openUpstreams = openUpstreams,
): Promise<SyncReport | undefined> {
  const missing = whyNotReadable(settings.snapshotPath);
  if (!missing) return undefined;
  if (settings.offline) {
    throw new SortimentError('SNAPSHOT_MISSING', `${missing.message} SORTIMENT_OFFLINE prevents a sync.`, {
      hint: 'Run `npm run sync` once with the network, or copy a snapshot from another machine.',
    });
  }
  logger.info('No snapshot yet: syncing first.');
  // Loaded only where it is needed, like the origin.
  const { runSync } = await import('#sync/index.ts');
  const opened = await open(settings, (line) => logger.debug(line), { report: (line) => logger.info(line) });
  try {
    return await runSync(settings, { upstreams: opened.upstreams, logger });
  } finally {
    await opened.close();
  }
}

function whyNotReadable(snapshotPath: string): SortimentError | undefined {
  try {
    openSnapshot(snapshotPath, { readOnly: true }).close();
    return undefined;
  } catch (error) {
    if (isSortimentError(error) && REBUILT_BY_SYNC.includes(error.code)) return error;
    throw error;
  }
}

/** The embedded origin, of this process or of another one that has the store open. */
export interface OpenOrigin {
  /** Where it listens: loopback. */
  url: string;
  /** The address in its links. */
  publicUrl: string;
  /** Path segment of the publishing interface. */
  restRoot: string;
  /** Answers for it at another address. */
  listener: RequestListener;
  /** Whether it runs in this process, until `close`. */
  isOwn: boolean;
}

export interface OpenUpstreams {
  upstreams: Upstreams;
  /** Only without upstreams of one's own. */
  origin?: OpenOrigin;
  /** Stops what was started here. */
  close: () => Promise<void>;
}

export interface OpenUpstreamsOptions {
  /** Told of every change by an origin that is started here. */
  receivers?: readonly { url: string; secret: string }[] | undefined;
  /** Somebody asks for the demo: it goes into any store that holds nothing yet. @default false */
  demo?: boolean | undefined;
  /** Is told what a person should know. @default the log */
  report?: ((line: string) => void) | undefined;
}

/**
 * The upstreams that a sync reads. Without any in the environment it's the embedded origin: a running one is used, else
 * one is started on a free loopback port. Its records keep the site's public address in their links, so that they are
 * the same in every run. It begins with the demo when somebody asks for that, or has not set up anything yet.
 * @throws SortimentError OFFLINE when the network may not be touched, UPSTREAMS_MISSING when there is an assortment of
 *   one's own, but nowhere to read it from.
 */
export async function openUpstreams(
  settings: Settings,
  log: (line: string) => void,
  { receivers, demo = false, report = log }: OpenUpstreamsOptions = {},
): Promise<OpenUpstreams> {
  if (settings.offline) {
    throw new SortimentError('OFFLINE', 'SORTIMENT_OFFLINE is set, so no upstream may be contacted.', {
      hint: 'Unset SORTIMENT_OFFLINE, or use an existing snapshot.',
    });
  }
  if (settings.upstreams !== 'embedded') return { upstreams: settings.upstreams, close: async () => undefined };
  const running = await findRunningOrigin(settings.originFolder);
  if (running) {
    const findUrl = async () => (await findRunningOrigin(settings.originFolder))?.url;
    const origin = { ...running, listener: proxyTo(running.url, findUrl), isOwn: false };
    return { upstreams: upstreamsOf(running), origin, close: async () => undefined };
  }
  const startsWithDemo = hasDemo() && (demo || (await mayBeginWithDemo(settings)));
  if (!startsWithDemo && !hasStore(settings)) {
    throw new SortimentError('UPSTREAMS_MISSING', 'No upstreams are set, so there is nothing to read products from.', {
      hint:
        'Set PRODUCT_API_URL and PRODUCT_API_TOKEN, or put your own products in with ' +
        '`npm run origin -- product import`. `npm start` shows the demo.',
    });
  }
  const noteDemoIn = startsWithDemo ? noteDemoBegun(settings) : undefined;
  // Inside Astro's hooks that works as long as the configuration is a .mjs file, which Node loads itself; Vite's loader
  // for .ts is closed by then.
  const { startOrigin } = await loadOrigin();
  const origin = await startOrigin({
    dataFolder: settings.originFolder,
    host: '127.0.0.1',
    // It answers at the root of the host, wherever the site lies.
    publicUrl: new URL(settings.siteUrl).origin,
    demo: startsWithDemo,
    onDemo: () => report(DEMO_STARTS),
    databaseUrl: settings.databaseUrl,
    receivers,
    log,
  });
  noteDemoIn?.();
  return { upstreams: upstreamsOf(origin), origin: { ...origin, isOwn: true }, close: () => origin.close() };
}

function upstreamsOf(origin: { url: string; publicUrl: string; restRoot: string; productToken: string }): Upstreams {
  const { url, publicUrl, restRoot, productToken } = origin;
  return {
    product: { root: `${publicUrl}/${PRODUCT_ROOT}`, token: productToken, connectTo: url },
    publishing: { siteUrl: publicUrl, restRoot, namespaces: {}, connectTo: url },
  };
}

/**
 * Hands requests on to a server on loopback; the `Host` that the visitor asked for stays.
 * @param findUrl Says where the server is now, once it can't be reached: it may have been started again elsewhere.
 */
export function proxyTo(url: string, findUrl?: () => Promise<string | undefined>): RequestListener {
  let latest = url;
  return (req, res) => {
    const tried = latest;
    const askElsewhere = async (): Promise<void> => {
      const found = await findUrl?.().catch(() => undefined);
      if (found === undefined || found === tried) return refuse(res);
      latest = found;
      forward(req, res, found, () => refuse(res));
    };
    forward(req, res, tried, () => void askElsewhere());
  };
}

/** @param onUnreachable Called when nothing of the request has been sent. */
function forward(req: IncomingMessage, res: ServerResponse, url: string, onUnreachable: () => void): void {
  // The visitor may have gone meanwhile.
  if (res.destroyed) return;
  const { hostname: host, port } = new URL(url);
  const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => !HOP_BY_HOP.has(name)));
  const forwarded = request({ host, port, method: req.method, path: req.url, headers }, (answer) => {
    res.writeHead(answer.statusCode ?? 502, answer.headers);
    // Ends both when one ends early; there is nobody left to tell.
    pipeline(answer, res, () => undefined);
  });
  let isConnected = false;
  const send = (): void => {
    isConnected = true;
    req.pipe(forwarded);
  };
  forwarded.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', send);
    else send();
  });
  forwarded.on('error', () => {
    if (!isConnected) onUnreachable();
    else if (res.headersSent) res.destroy();
    else refuse(res);
  });
  res.on('close', () => forwarded.destroy());
}

function refuse(res: ServerResponse): void {
  res.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8' }).end('The origin does not answer.\n');
}
