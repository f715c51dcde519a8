import { createHash, randomBytes } from 'node:crypto';
import { addressesToConnect, createTransport } from '#client/create-transport.ts';
import { fileCredential } from '#client/credential.ts';
import type { Settings, Upstreams } from '#config/index.ts';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import { sourceNames } from '#contracts/product/product-fields.ts';
import { SEARCH_SETTING, SYNCED_KINDS } from '#contracts/synced/index.ts';
import {
  listChangedProducts,
  countPresentRecords,
  findRemovals,
  lockSnapshot,
  NORMALISER_VERSION,
  openSnapshot,
  stageRun,
  createStorageError,
  type ReadSource,
} from '#snapshot/index.ts';
import { assetKindsFor, createHostCheck } from './assets/asset-kinds.ts';
import { fetchAssets } from './assets/fetch-assets.ts';
import { readAssortment } from './assortment/read-assortment.ts';
import { commitRun } from './commit-run.ts';
import { findHiddenPages } from './guard/find-hidden-pages.ts';
import { guardRun } from './guard/guard-run.ts';
import { deliverOutbox } from './hooks/send-outbox.ts';
import { documentLister } from './assets/list-documents.ts';
import { fetchProducts } from './products/fetch-products.ts';
import { confirmRemovals } from './publishing/stage-rows.ts';
import { fetchPublishing } from './publishing/fetch-publishing.ts';
import { readSource, type RunSyncOptions, type SyncRun } from './sync-options.ts';
import { collectIssues, type IssueCollection } from './report/collect-issues.ts';
import { writeReport } from './report/write-report.ts';
import type { SyncReport } from './report/sync-report.ts';

/** Maximum age of an unfinished run that the next one continues. */
const MAX_UNFINISHED_AGE_MS = 2 * 3_600_000;

/**
 * Reads both upstreams into the snapshot in one transaction. Then notifies the hooks if anything changed. An
 * interrupted run leaves its records to the next one, apart from the snapshot.
 *
 * @throws SortimentError SYNC_RUNNING, ASSORTMENT_…, UPSTREAM_…, LANGUAGE_UNKNOWN, PRODUCTS_UNUSABLE, CHANGES_REFUSED,
 * SYNC_STOPPED, SNAPSHOT_UNWRITABLE. The snapshot is unchanged after each of them. Problems of single records are
 * reported instead.
 */
export async function runSync(settings: Settings, options: RunSyncOptions): Promise<SyncReport> {
  const { upstreams, signal, logger, now = () => new Date() } = options;
  requireUpstream(upstreams);
  const startedAt = now();
  using _lock = lockSnapshot(settings.snapshotPath, startedAt);
  const issues = collectIssues();
  try {
    const report = await readInto(settings, options, issues);
    const hooks = await deliverOutbox(settings, { logger, environment: options.environment, now, signal });
    const reportFile = await writeReport(settings, { report: { ...report, hooks } }, { logger });
    return { ...report, hooks, reportFile };
  } catch (cause) {
    const error = signal?.aborted ? createStoppedError() : (createStorageError(cause, settings.snapshotPath) ?? cause);
    const failed = { error, startedAt, finishedAt: now(), ...issues.list() };
    const reportFile = await writeReport(settings, failed, { logger });
    if (reportFile !== undefined) logger.info(`The catalogue is unchanged. Full report: ${reportFile}`);
    throw error;
  }
}

async function readInto(settings: Settings, options: RunSyncOptions, issues: IssueCollection): Promise<SyncReport> {
  const { upstreams, now = () => new Date() } = options;
  const { root, options: choices } = settings;
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const assortment = upstreams.product && (await readAssortment(choices.assortment, { root, signal }));
  const { run, close } = openRun(settings, options, { signal, issues });
  let isUnfinished = true;
  try {
    const { product, publishing } = upstreams;
    const products =
      product && assortment && (await readSource(run, 'product', () => fetchProducts(run, product, assortment)));
    const site = publishing && (await readSource(run, 'publishing', () => fetchPublishing(run, publishing)));
    const read = [products?.read, site?.read?.source].filter((source) => source !== undefined);
    const removals = findRemovals(run.snapshot.database);
    const hidden = findHiddenPages({
      ...run,
      ownHosts: [settings.siteUrl, publishing?.siteUrl, site?.read?.siteRun.site.home].flatMap(
        (address) => URL.parse(address ?? '')?.host ?? [],
      ),
      share: choices.sync.guard.hidden,
      languagesOf: options.languagesOf,
    });
    const isAcceptUsed = guardRun({
      removals,
      hidden,
      changes: listChangedProducts(run.snapshot.database),
      known: countPresentRecords(run.snapshot.database),
      limits: choices.sync.guard,
      extraFields: sourceNames(choices.product.fields),
      accept: options.accept,
      notes: [...movedSources(run, read), ...(hidden.length > 0 ? [SEARCH_SETTING] : [])],
    });
    if (site?.read) await confirmRemovals(site.read.siteRun, removals);
    const { counts, alarms } = await fetchAssets(run, isAcceptUsed ? undefined : options.accept);
    for (const [id, notice] of run.transport.notices) {
      issues.warning({ kind: 'source', id, field: '', problem: `announces that it ${notice}` });
    }
    const report = commitRun(run, {
      read,
      sources: [products?.report, site && { ...site.report, unused: site.read?.unused ?? [] }].filter(
        (source) => source !== undefined,
      ),
      assets: counts,
      alarms,
      inspect: options.inspect,
      now,
    });
    isUnfinished = false;
    return report;
  } catch (error) {
    // Discard the staged records after a rejection, because the corrected upstream must be read again. Also after an
    // unexpected error, which they may have caused, and on a full disk, which needs the space.
    isUnfinished = options.signal?.aborted || (isSortimentError(error) && error.code !== 'CHANGES_REFUSED');
    throw error;
  } finally {
    // Pending requests would delay the end of the process.
    stop.abort();
    await close(isUnfinished);
  }
}

/** Detects upstreams with a new address, which probably serve another catalogue. */
function movedSources({ snapshot }: SyncRun, read: readonly ReadSource[]): string[] {
  const stored = snapshot.sources();
  return read.flatMap(({ name, base }) => {
    const previous = stored.find((source) => source.name === name)?.base;
    if (!previous || previous === base) return [];
    return `The snapshot was read from ${previous}, and this run from ${base}. If that is another catalogue, delete ${snapshot.path} and sync again.`;
  });
}

function openRun(
  settings: Settings,
  options: RunSyncOptions,
  { signal, issues }: { signal: AbortSignal; issues: IssueCollection },
) {
  const { upstreams, now = () => new Date(), full = [], maxRequests, maxMinutes } = options;
  const { timeoutMs, retries, concurrency } = settings.options.sync;
  const startedAt = now();
  const snapshot = openSnapshot(settings.snapshotPath);
  const transport = createTransport({
    timeoutMs,
    retries,
    connections: concurrency,
    connectTo: addressesToConnect(upstreams),
    signal,
    ...(options.retry && { retry: options.retry }),
  });
  const staging = stageRun(snapshot.database, {
    file: `${settings.snapshotPath}.staging`,
    basis: describeBasis(settings, upstreams),
    at: startedAt,
    maxAgeMs: MAX_UNFINISHED_AGE_MS,
  });
  if (staging.unfinished > 0) {
    options.logger.info(`Continuing an interrupted sync: it has read ${staging.unfinished} records.`);
  }
  const endAt = maxMinutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + maxMinutes * 60_000;
  const run: SyncRun = {
    id: `run_${startedAt.toISOString().replace(/\D/g, '').slice(0, 14)}_${randomBytes(4).toString('hex')}`,
    startedAt,
    settings,
    productBase: upstreams.product?.root,
    kinds: options.kinds ?? { content: SYNCED_KINDS, assets: assetKindsFor(settings.options) },
    documents: documentLister(settings),
    isMediaHost: createHostCheck(upstreams, settings.options.mediaHosts),
    credentialFor: (address) => fileCredential(upstreams, address),
    snapshot,
    staging,
    transport,
    issues,
    logger: options.logger,
    progress: options.progress ?? (() => undefined),
    isFull: (source) => full.includes(source),
    hasBudget: maxRequests !== undefined || maxMinutes !== undefined,
    isSpent: () => transport.requests >= (maxRequests ?? Number.POSITIVE_INFINITY) || performance.now() >= endAt,
    tally: { resumed: 0, unasked: 0, uncompared: { count: 0, asOf: undefined }, awaitedRemovals: [] },
  };
  const close = async (isUnfinished: boolean) => {
    await transport.close();
    staging.close(isUnfinished);
    snapshot.close();
  };
  return { run, close };
}

/**
 * Describes everything that affects which records are read. Includes the credentials, because prices may depend on
 * them.
 */
function describeBasis({ options }: Settings, { product, publishing }: Upstreams): string {
  const caller = createHash('sha256')
    .update(JSON.stringify([product?.token, product?.account, publishing?.account]))
    .digest('hex')
    .slice(0, 8);
  return [
    NORMALISER_VERSION,
    product?.root,
    caller,
    publishing?.siteUrl,
    options.documents,
    JSON.stringify(options.documentKinds),
    options.podcast.audio,
    ...sourceNames(options.product.fields),
  ].join(' ');
}

function requireUpstream({ product, publishing }: Upstreams): void {
  if (product || publishing) return;
  throw new SortimentError('UPSTREAM_MISSING', 'No upstream is configured.', {
    hint: 'Set PRODUCT_API_URL or PUBLISHING_URL in the environment.',
  });
}

function createStoppedError(): SortimentError {
  return new SortimentError('SYNC_STOPPED', 'The sync was stopped. The snapshot is unchanged.', {
    hint: 'Run it again at any time.',
  });
}
