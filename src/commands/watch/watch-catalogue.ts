import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { Settings } from '#config/index.ts';
import { getErrorMessage, isSortimentError } from '#contracts/index.ts';
import type { SyncLogger, SyncProgress } from '#sync/sync-options.ts';
import { readBuildFile } from '../build/build-file.ts';
import { syncCatalogue } from '../build/sync-catalogue.ts';
import type { BuiltSite } from '../build/run-in-process.ts';
import {
  checkHealth,
  listMetrics,
  countSnapshot,
  createWatchRecord,
  recordDuration,
  recordSync,
  type WatchRecord,
} from './list-metrics.ts';
import { createRunQueue, type RunOutcome, type RunQueueOptions, type RunReason } from './run-queue.ts';
import { webhookVerifier } from './verify-webhook.ts';
import { type WatchEvent, pickReport } from './watch-event.ts';
import { startWatchServer } from './watch-server.ts';
import { openUpstreams, type OpenUpstreams } from '#build/upstreams/ensure-snapshot.ts';
import { openSnapshot, readDigest } from '#snapshot/index.ts';
import { deliverOutbox } from '#sync/hooks/send-outbox.ts';

/**
 * Delivers due messages to hooks between runs: delayed first attempts and retries.
 * @returns A function that stops polling. Aborted deliveries are retried later.
 */
function startDeliveries(
  settings: Settings,
  { environment, deliverEveryMs = 5000, ...options }: WatchCatalogueOptions,
): () => Promise<void> {
  if (settings.options.hooks.length === 0) return () => Promise.resolve();
  const stop = new AbortController();
  const { signal } = stop;
  const logger = deduplicateWarnings(options.logger);
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      if (isDue(settings.snapshotPath)) await deliverOutbox(settings, { logger, environment, signal });
      await setTimeout(deliverEveryMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const ended = run();
  return async () => {
    stop.abort();
    await ended;
  };
}

function isDue(snapshotPath: string): boolean {
  try {
    using snapshot = openSnapshot(snapshotPath, { readOnly: true });
    const due = `SELECT 1 FROM outbox WHERE state = 'pending' AND next_attempt_at <= ? LIMIT 1`;
    return snapshot.database.prepare(due).get(new Date().toISOString()) !== undefined;
  } catch {
    return false;
  }
}

/** Logs each warning once, such as a hook without its variables. */
function deduplicateWarnings(logger: SyncLogger): SyncLogger {
  const logged = new Set<string>();
  const warn = (message: string): void => {
    if (!logged.has(message)) logger.warn(message);
    logged.add(message);
  };
  // Loggers with methods of a class can't be spread.
  return {
    debug: (message) => logger.debug(message),
    info: (message) => logger.info(message),
    error: (message) => logger.error(message),
    warn,
  };
}

export interface WatchCatalogueOptions extends Pick<RunQueueOptions, 'quietMs' | 'maxWaitMs' | 'busyMs' | 'random'> {
  /** Delay between runs, plus or minus a tenth. */
  intervalMs: number;
  host: string;
  /** 0 selects a free port. */
  port: number;
  /** Secrets of inbound webhooks, `whsec_<base64>`; the embedded origin has a separate one. */
  secrets: readonly string[];
  /** Builds the site whenever it differs from the snapshot. */
  build?: ((signal: AbortSignal) => Promise<Pick<BuiltSite, 'digest' | 'pages' | 'durationMs'>>) | undefined;
  /** Ends the watch when aborted. */
  signal: AbortSignal;
  emit: (event: WatchEvent) => void;
  logger: SyncLogger;
  progress?: ((progress: SyncProgress) => void) | undefined;
  /** Environment with the hooks' URLs and secrets. @default process.env */
  environment?: NodeJS.ProcessEnv | undefined;
  /** Interval of deliveries between runs. @default 5000 */
  deliverEveryMs?: number | undefined;
}

/** Time for pending work to finish; nothing is lost if it takes longer. */
const GRACE_MS = 8000;

/**
 * Keeps the snapshot up to date until the signal is aborted: syncs immediately, on an interval, and after each signed
 * webhook. Failed runs are reported and retried.
 *
 * @throws SortimentError PORT_TAKEN, PORT_REFUSED, WATCH_SECRET_INVALID, and those of `openUpstreams`, before it has
 * started
 */
export async function watchCatalogue(settings: Settings, options: WatchCatalogueOptions): Promise<void> {
  const { intervalMs, host, port, signal, emit, logger } = options;
  const isEmbedded = settings.upstreams === 'embedded';
  const ownSecret = `whsec_${randomBytes(32).toString('base64')}`;
  const secrets = [...options.secrets, ...(isEmbedded ? [ownSecret] : [])];
  const record = createWatchRecord();
  const queue = createRunQueue({ ...options, run: (reason) => runOnce(reason) });
  const server = await startWatchServer({
    host,
    port,
    verify: webhookVerifier(secrets),
    report: (result, reason) => {
      record.webhooks[result] += 1;
      emit({ event: 'webhook', result, reason });
      if (result === 'accepted' && !signal.aborted) queue.request();
    },
    health: () =>
      checkHealth({
        now: Date.now(),
        intervalMs,
        lastSuccess: record.lastSuccess,
        digest: readDigest(settings.snapshotPath),
        running: queue.running,
        nextRunAt: queue.nextRunAt,
        failures: queue.failures,
      }),
    metrics: () => listMetrics(record, countSnapshot(settings.snapshotPath), queue.running),
  });
  const upstreams = createReusableUpstreams(settings, logger, { url: server.hookUrl, secret: ownSecret });

  const runOnce = async (reason: RunReason): Promise<RunOutcome> => {
    const outcome = await syncOnce(settings, options, { reason, record, upstreams });
    if (outcome !== 'good' && !signal.aborted) reportRetry();
    if (outcome === 'good' && !signal.aborted) await buildOnce(settings, options, record);
    return outcome;
  };
  // The queue plans the next run after this one has ended.
  const reportRetry = (): void =>
    void setImmediate(() => {
      if (queue.nextRunAt === undefined) return;
      emit({ event: 'retry-planned', at: new Date(queue.nextRunAt).toISOString(), failures: queue.failures });
    });

  let stopDeliveries: (() => Promise<void>) | undefined;
  try {
    const opened = await upstreams.open();
    if (signal.aborted) return;
    if (opened.origin && !opened.origin.isOwn) reportOtherOrigin(logger, server.hookUrl);
    stopDeliveries = startDeliveries(settings, options);
    const webhooks = secrets.length > 0 ? server.hookUrl : undefined;
    emit({ event: 'started', url: server.url, webhooks, intervalMs, build: options.build !== undefined });
    queue.start();
    if (!signal.aborted) await once(signal, 'abort');
    emit({ event: 'stopping' });
  } finally {
    const runsEnded = Promise.all([queue.close(), stopDeliveries?.()]);
    await Promise.race([runsEnded, setTimeout(GRACE_MS, undefined, { ref: false })]);
    await server.close();
    await upstreams.close();
  }
  emit({ event: 'stopped' });
}

async function syncOnce(
  settings: Settings,
  { signal, emit, logger, progress, environment }: WatchCatalogueOptions,
  { reason, record, upstreams }: { reason: RunReason; record: WatchRecord; upstreams: ReusableUpstreams },
): Promise<RunOutcome> {
  const started = performance.now();
  emit({ event: 'sync-started', reason });
  try {
    const opened = await upstreams.open();
    const report = await syncCatalogue(settings, {
      opened,
      logger,
      signal,
      ...(progress && { progress }),
      ...(environment && { environment }),
    });
    recordSync(record, report, Date.now());
    recordDuration(record.durationsSeconds, (performance.now() - started) / 1000);
    emit({ event: 'sync-finished', ...pickReport(report) });
    return 'good';
  } catch (error) {
    if (signal.aborted) return 'failed';
    const { code, message, hint } = isSortimentError(error)
      ? error
      : { code: 'FAULT', message: getErrorMessage(error), hint: undefined };
    if (code === 'SYNC_RUNNING') {
      record.syncs.busy += 1;
      emit({ event: 'sync-busy', message });
      return 'busy';
    }
    const durationMs = Math.round(performance.now() - started);
    record.syncs.failed += 1;
    recordDuration(record.durationsSeconds, durationMs / 1000);
    emit({ event: 'sync-failed', code, message, hint, durationMs });
    return 'failed';
  }
}

/** Also repeats a failed build, because the site still has another digest. */
async function buildOnce(
  settings: Settings,
  { build, signal, emit }: WatchCatalogueOptions,
  record: WatchRecord,
): Promise<void> {
  if (!build || readBuildFile(settings.distFolder)?.digest === readDigest(settings.snapshotPath)) return;
  try {
    const { digest, pages, durationMs } = await build(signal);
    record.builds.built += 1;
    emit({ event: 'build-finished', digest, pages, durationMs });
  } catch (error) {
    if (signal.aborted) return;
    record.builds.failed += 1;
    emit({ event: 'build-failed', message: getErrorMessage(error) });
  }
}

function reportOtherOrigin(logger: SyncLogger, hookUrl: string): void {
  logger.info(
    `Another process serves the origin. To have it announce changes here, start it with ORIGIN_WEBHOOK_URL=${hookUrl} ` +
      'and ORIGIN_WEBHOOK_SECRET set to the value of SORTIMENT_WATCH_SECRET; until then they are seen on the interval.',
  );
}

type ReusableUpstreams = ReturnType<typeof createReusableUpstreams>;

/**
 * Opens upstreams for repeated runs. An embedded origin started here stays open and notifies the receiver of changes.
 * If another process serves the origin, that one is used until it ends.
 */
function createReusableUpstreams(settings: Settings, logger: SyncLogger, receiver: { url: string; secret: string }) {
  let started: OpenUpstreams | undefined;
  return {
    open: async (): Promise<OpenUpstreams> => {
      if (started) return started;
      const opened = await openUpstreams(settings, (line) => logger.debug(line), {
        receivers: [receiver],
        report: (line) => logger.info(line),
      });
      if (opened.origin?.isOwn) started = opened;
      return opened;
    },
    close: async () => started?.close(),
  };
}
