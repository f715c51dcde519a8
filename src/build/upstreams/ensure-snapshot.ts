import { type IncomingMessage, type RequestListener, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Settings, Upstreams } from '#config/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { PRODUCT_ROOT } from '#contracts/product/index.ts';
import { findMissingSnapshot } from '#snapshot/index.ts';
import type { SyncLogger } from '#sync/sync-options.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import { hasDemo, hasStore, canStartWithDemo } from './demo-start.ts';
import { catalogueOptions, importOrigin } from './embedded-origin.ts';

/** Connection headers apply to a single hop (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

const DEMO_MESSAGE = 'No upstreams are set: starting the demo catalogue.';

/**
 * Syncs if there is no readable snapshot; an existing one is left unchanged, however old.
 *
 * @param open Opens the upstreams; the result is closed afterwards.
 * @returns The report of the sync, if one was needed.
 * @throws SortimentError SNAPSHOT_MISSING if there is none and the network is off limits.
 */
export async function ensureSnapshot(
  settings: Settings,
  logger: SyncLogger,
  open: typeof openUpstreams = openUpstreams,
): Promise<SyncReport | undefined> {
  const missing = findMissingSnapshot(settings.snapshotPath);
  if (!missing) return undefined;
  if (settings.offline) {
    throw new SortimentError('SNAPSHOT_MISSING', `${missing.message} SORTIMENT_OFFLINE prevents a sync.`, {
      hint: 'Run `npm run sync` once with the network, or copy a snapshot from another machine.',
    });
  }
  logger.info(`${missing.message} Syncing first.`);
  // Loaded on demand, like the origin.
  const { runSync } = await import('#sync/run-sync.ts');
  const opened = await open(settings, (line) => logger.debug(line), { report: (line) => logger.info(line) });
  try {
    return await runSync(settings, { upstreams: opened.upstreams, logger });
  } finally {
    await opened.close();
  }
}

/** The embedded origin, of this process or of another one that has the store open. */
export interface OpenOrigin {
  /** Loopback URL. */
  url: string;
  /** Base URL of its links. */
  publicUrl: string;
  /** Path segment of the publishing interface. */
  restRoot: string;
  /** Handles its requests at another address. */
  listener: RequestListener;
  /** True if it runs in this process, until `close`. */
  isOwn: boolean;
}

export interface OpenUpstreams {
  upstreams: Upstreams;
  /** Only without configured upstreams. */
  origin?: OpenOrigin;
  /** Stops everything started here. */
  close: () => Promise<void>;
}

export interface OpenUpstreamsOptions {
  /** Webhooks that an origin started here calls after every change. */
  receivers?: readonly { url: string; secret: string }[] | undefined;
  /**
   * Loads the demo into any empty store, because the user has requested it.
   * @default false
   */
  demo?: boolean | undefined;
  /**
   * Receives messages for the user.
   * @default the log
   */
  report?: ((line: string) => void) | undefined;
}

/**
 * Opens the upstreams for a sync. Without configured upstreams it connects to the embedded origin, or starts one on a
 * free loopback port. Links in its records contain the site's public URL, so that they are equal in every run. The
 * store starts with the demo on request, or if nothing was set up yet.
 *
 * @throws SortimentError OFFLINE if the network is off limits, UPSTREAMS_MISSING if there is a custom assortment but no
 * source of products.
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
  const { findRunningOrigin, loadOrigin } = await importOrigin();
  const running = await findRunningOrigin(settings.originFolder);
  if (running) {
    const findUrl = async () => (await findRunningOrigin(settings.originFolder))?.url;
    const origin = { ...running, listener: proxyTo(running.url, findUrl), isOwn: false };
    return { upstreams: upstreamsOf(running), origin, close: async () => undefined };
  }
  const usesDemo = hasDemo() && (demo || (await canStartWithDemo(settings)));
  if (!usesDemo && !hasStore(settings)) {
    throw new SortimentError('UPSTREAMS_MISSING', 'No upstreams are set, so there is nothing to read products from.', {
      hint:
        'Set PRODUCT_API_URL and PRODUCT_API_TOKEN, or put your own products in with ' +
        `\`npm run origin -- product import\`.${hasDemo() ? ' `npm start` shows the demo.' : ''}`,
    });
  }
  // Within Astro's hooks this requires a .mjs configuration, which Node loads itself. Vite's loader for .ts is closed
  // by then.
  const { startOrigin } = await loadOrigin();
  const origin = await startOrigin({
    dataFolder: settings.originFolder,
    host: '127.0.0.1',
    // It serves the root of the host, wherever the site is.
    publicUrl: new URL(settings.siteUrl).origin,
    demo: usesDemo,
    onDemo: () => report(DEMO_MESSAGE),
    databaseUrl: settings.databaseUrl,
    ...catalogueOptions(settings.options, settings.root),
    receivers,
    log,
  });
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
 * Forwards requests to a server on loopback and preserves the visitor's `Host`.
 *
 * @param findUrl Finds the server's current URL once it is unreachable: it may have restarted on another port.
 */
export function proxyTo(url: string, findUrl?: () => Promise<string | undefined>): RequestListener {
  let latest = url;
  return (req, res) => {
    const tried = latest;
    const retryElsewhere = async (): Promise<void> => {
      const found = await findUrl?.().catch(() => undefined);
      if (found === undefined || found === tried) return sendUnreachable(res);
      latest = found;
      forward(req, res, found, () => sendUnreachable(res));
    };
    forward(req, res, tried, () => void retryElsewhere());
  };
}

/** @param onUnreachable Called if nothing of the request was sent. */
function forward(req: IncomingMessage, res: ServerResponse, url: string, onUnreachable: () => void): void {
  // The client may have disconnected.
  if (res.destroyed) return;
  const { hostname: host, port } = new URL(url);
  const headers = Object.fromEntries(Object.entries(req.headers).filter(([name]) => !HOP_BY_HOP.has(name)));
  const forwarded = request({ host, port, method: req.method, path: req.url, headers }, (response) => {
    res.writeHead(response.statusCode ?? 502, response.headers);
    // Ends both streams when one ends early; there is no client left to notify.
    pipeline(response, res, () => undefined);
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
    else sendUnreachable(res);
  });
  res.on('close', () => forwarded.destroy());
}

function sendUnreachable(res: ServerResponse): void {
  res.writeHead(502, { 'Content-Type': 'text/plain; charset=utf-8' }).end('The origin does not respond.\n');
}

const shared = new Map<string, Promise<OpenUpstreams>>();

/**
 * Opens the upstreams of the development server once. Astro restarts the server when its configuration changes, but the
 * embedded origin keeps running: its store can't be open twice.
 */
export async function shareUpstreams(
  settings: Settings,
  log: (line: string) => void,
  options?: OpenUpstreamsOptions,
): Promise<OpenUpstreams> {
  const open = shared.get(settings.originFolder) ?? openUpstreams(settings, log, options);
  shared.set(settings.originFolder, open);
  open.catch(() => shared.delete(settings.originFolder));
  return { ...(await open), close: async () => undefined };
}

/** Call it once, after the development server has stopped. */
export async function closeSharedUpstreams(): Promise<void> {
  const all = [...shared.values()];
  shared.clear();
  await Promise.allSettled(all.map(async (open) => (await open).close()));
}
