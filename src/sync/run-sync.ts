import { randomBytes } from 'node:crypto';
import { createTransport } from '../client/index.ts';
import type { Settings, Upstreams } from '../config/index.ts';
import { SortimentError } from '../contracts/index.ts';
import { countKnown, findRemovals, lockSnapshot, openSnapshot, stageRun } from '../snapshot/index.ts';
import { collectIssues } from './collect-issues.ts';
import { commitRun } from './commit-run.ts';
import { confirmRemovals } from './confirm-removals.ts';
import { deliverOutbox } from './deliver-outbox.ts';
import { fetchAssets } from './fetch-assets.ts';
import { fetchProducts } from './fetch-products.ts';
import { fetchPublishing } from './fetch-publishing.ts';
import { guardRemovals } from './guard-removals.ts';
import { readAssortment } from './read-assortment.ts';
import type { RunSyncOptions } from './sync-options.ts';
import type { SyncReport } from './sync-report.ts';
import type { SyncRun } from './sync-run.ts';

/**
 * Reads both upstreams into the snapshot: everything in one transaction, or nothing. Then tells the hooks, if
 * something changed.
 *
 * @throws SortimentError SYNC_RUNNING, ASSORTMENT_…, UPSTREAM_…, LANGUAGE_UNKNOWN, PRODUCTS_UNUSABLE,
 *   REMOVALS_REFUSED, SYNC_STOPPED; after each of them the snapshot is as it was. What the records survive is in the
 *   report instead.
 */
export async function runSync(settings: Settings, options: RunSyncOptions): Promise<SyncReport> {
  const { upstreams, signal, logger, now = () => new Date() } = options;
  requireUpstream(upstreams);
  const lock = lockSnapshot(settings.snapshotPath, now());
  try {
    const report = await readInto(settings, options);
    const hooks = await deliverOutbox(settings, { logger, environment: options.environment, now });
    return { ...report, hooks };
  } catch (error) {
    throw signal?.aborted ? stopped() : error;
  } finally {
    lock.release();
  }
}

async function readInto(settings: Settings, options: RunSyncOptions): Promise<SyncReport> {
  const { upstreams, now = () => new Date() } = options;
  const { root, options: choices } = settings;
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const assortment = upstreams.product && (await readAssortment(choices.assortment, { root, signal }));
  const snapshot = openSnapshot(settings.snapshotPath);
  const transport = createTransport({
    timeoutMs: choices.sync.timeoutMs,
    retries: choices.sync.retries,
    connections: choices.sync.concurrency,
    connectTo: addressesToConnect(upstreams),
    signal,
  });
  const startedAt = now();
  const run: SyncRun = {
    id: `run_${startedAt.toISOString().replace(/\D/g, '').slice(0, 14)}_${randomBytes(4).toString('hex')}`,
    startedAt,
    settings,
    snapshot,
    staging: stageRun(snapshot.database),
    transport,
    issues: collectIssues(),
    logger: options.logger,
    progress: options.progress ?? (() => undefined),
  };
  try {
    const products = upstreams.product && assortment && (await fetchProducts(run, upstreams.product, assortment));
    const publishing = upstreams.publishing && (await fetchPublishing(run, upstreams.publishing));
    const removals = findRemovals(snapshot.database);
    guardRemovals(removals, countKnown(snapshot.database), options.accept);
    if (publishing) await confirmRemovals(run, publishing.client, removals);
    const assets = await fetchAssets(run, upstreams);
    const sources = [products, publishing?.source].filter((source) => source !== undefined);
    return commitRun(run, { sources, assets, now });
  } finally {
    // Requests that a failure has left under way would only keep the process from ending.
    stop.abort();
    await transport.close();
    snapshot.close();
  }
}

function requireUpstream({ product, publishing }: Upstreams): void {
  if (product || publishing) return;
  throw new SortimentError('UPSTREAM_MISSING', 'There is no upstream to sync from.', {
    hint: 'Set PRODUCT_API_URL or PUBLISHING_URL in the environment.',
  });
}

/** Public origin -> origin that really serves it. */
function addressesToConnect({ product, publishing }: Upstreams): Record<string, string> {
  const pairs = [
    [product?.root, product?.connectTo],
    [publishing?.siteUrl, publishing?.connectTo],
  ];
  return Object.fromEntries(
    pairs.flatMap(([address, connectTo]) => (address && connectTo ? [[new URL(address).origin, connectTo]] : [])),
  );
}

function stopped(): SortimentError {
  return new SortimentError('SYNC_STOPPED', 'The sync was stopped; the snapshot is as it was.', {
    hint: 'Run it again when it suits.',
  });
}
