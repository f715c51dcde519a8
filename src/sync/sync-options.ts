import type { TransportOptions, Transport } from '#client/create-transport.ts';
import type { Upstreams, Settings } from '#config/index.ts';
import type { SyncedKind } from '#contracts/synced/index.ts';
import type { SnapshotReader, Snapshot, Staging } from '#snapshot/index.ts';
import type { AssetKind } from './assets/asset-kinds.ts';
import type { DocumentLister } from './assets/list-documents.ts';
import type { PageLanguages } from './guard/find-hidden-pages.ts';
import type { Issue, IssueCollection } from './report/collect-issues.ts';
import type { SourceReport, SyncReport } from './report/sync-report.ts';
import type { Credential } from '#client/credential.ts';
import type { PublishingSite } from '#client/detect-publishing.ts';
import type { PublishingClient } from '#client/publishing-client.ts';
import { isSortimentError, SortimentError } from '#contracts/index.ts';
import pLimit from 'p-limit';

/** Logger interface, compatible with Astro's loggers and `console`. */
export interface SyncLogger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface SyncProgress {
  stage: 'products' | 'publishing' | 'assets';
  done: number;
  /** Undefined while lists are still being read. */
  total: number | undefined;
}

/** Kinds of content that a run reads, and kinds of files that records refer to. */
export interface SyncKinds {
  content: readonly SyncedKind[];
  assets: readonly AssetKind[];
}

export interface RunSyncOptions {
  /** `settings.upstreams`, or those of the embedded origin if set to `embedded`. */
  upstreams: Upstreams;
  logger: SyncLogger;
  progress?: (progress: SyncProgress) => void;
  /** Digest printed by the mass-change guard. Accepts exactly those changes. */
  accept?: string;
  /** Sources that are read in full, regardless of validators and dates. */
  full?: readonly SourceReport['name'][];
  /** Maximum number of requests for records. The longest unread records come first. */
  maxRequests?: number;
  /** Maximum time for requesting records, in minutes. */
  maxMinutes?: number;
  /**
   * Languages of the pages of a snapshot, for the guard.
   * @default pages are only guarded together
   */
  languagesOf?: (snapshot: SnapshotReader) => PageLanguages;
  /** Further warnings, computed from the snapshot after the commit. */
  inspect?: (snapshot: SnapshotReader) => Issue[];
  /** Waits before retries. */
  retry?: TransportOptions['retry'];
  /** @default SYNCED_KINDS and ASSET_KINDS */
  kinds?: SyncKinds;
  /** Stops the run; nothing is written. */
  signal?: AbortSignal;
  /**
   * Environment with addresses and secrets of the hooks.
   * @default process.env
   */
  environment?: NodeJS.ProcessEnv;
  now?: () => Date;
}

/** Context shared by the stages of a run. */
export interface SyncRun {
  id: string;
  startedAt: Date;
  settings: Settings;
  /** Base address for relative links in product texts. */
  productBase: string | undefined;
  /** True if files may be fetched from an address. */
  isMediaHost: (url: URL) => boolean;
  /** Returns the credential for a file. Only files on the origin of an upstream with an account have one. */
  credentialFor: (address: string) => Credential | undefined;
  kinds: SyncKinds;
  documents: DocumentLister;
  snapshot: Snapshot;
  staging: Staging;
  transport: Transport;
  issues: IssueCollection;
  logger: SyncLogger;
  progress: (progress: SyncProgress) => void;
  /** True if the caller requested a full read of a source. */
  isFull: (source: SourceReport['name']) => boolean;
  /** True if requests or time of this run are limited. */
  hasBudget: boolean;
  /** True if the limit of requests or time is reached. Remaining records are left for the next run. */
  isSpent: () => boolean;
  /** Counts for the report. */
  tally: Pick<SyncReport, 'resumed' | 'unasked' | 'uncompared' | 'awaitedRemovals' | 'headsAsOf'>;
}

/** Context of the stages that read the publishing site. */
export interface SiteRun extends SyncRun {
  /** The site as described by its index. */
  site: PublishingSite;
  client: PublishingClient;
  /** Number of rows read so far. */
  rowsRead: { count: number };
}

function kindsOf(name: SourceReport['name'], { kinds }: SyncRun): string[] {
  if (name === 'product') return ['product', 'language', 'family', 'assortment'];
  return ['site', ...kinds.content.map(({ kind }) => kind)];
}

const HOUR_MS = 3_600_000;

/**
 * Reads a source. On failure, throws or continues with the stored content, as configured.
 * @returns `read` is undefined if the run continues without the source.
 * @throws SortimentError The read error, if the run can't or must not continue.
 */
export async function readSource<T>(
  run: SyncRun,
  name: SourceReport['name'],
  read: () => Promise<T>,
): Promise<{ read: T | undefined; report: SourceReport }> {
  const lastSuccess = run.snapshot.sources().find((source) => source.name === name)?.lastSuccess;
  try {
    const report: SourceReport = { name, outcome: 'read', asOf: run.startedAt.toISOString(), problem: undefined };
    return { read: await read(), report };
  } catch (error) {
    if (!isSortimentError(error) || !error.code.startsWith('UPSTREAM_')) throw error;
    const outcome = outcomeOf(run, name, lastSuccess, error);
    run.staging.dropKinds(kindsOf(name, run));
    const problem = error.message;
    run.logger.warn(`The ${name} source can't be read; continuing with its stored content.\n${problem}`);
    return { read: undefined, report: { name, outcome, asOf: lastSuccess, problem } };
  }
}

/** Temporary failures, during which stored content is acceptable. */
const TEMPORARY_CODES = new Set(['UPSTREAM_UNAVAILABLE', 'UPSTREAM_THROTTLED']);

/** Adds the option that continues without the source to the hint of an error. */
function withAlternative({ productBase }: SyncRun, name: SourceReport['name'], error: SortimentError): SortimentError {
  const hasProducts = name === 'publishing' && productBase !== undefined;
  const message = hasProducts ? `${error.message}\nProduct changes are delayed until it can be read.` : error.message;
  const hint = `To continue with its stored content, set \`sync.sources.${name}.whenDown: 'use-last-good'\`.`;
  return new SortimentError(error.code, message, { hint: [error.hint, hint].filter(Boolean).join(' '), cause: error });
}

function outcomeOf(
  run: SyncRun,
  name: SourceReport['name'],
  lastSuccess: string | undefined,
  error: SortimentError,
): 'last-good' | 'skipped' {
  const { whenDown, maxAgeHours } = run.settings.options.sync.sources[name];
  if (whenDown === 'skip') return 'skipped';
  if (lastSuccess === undefined) throw error;
  if (whenDown === 'fail') throw TEMPORARY_CODES.has(error.code) ? withAlternative(run, name, error) : error;
  const ageHours = (run.startedAt.getTime() - Date.parse(lastSuccess)) / HOUR_MS;
  if (ageHours <= maxAgeHours) return 'last-good';
  throw new SortimentError(
    error.code,
    `${error.message}\nThe stored content of the ${name} source is ${Math.round(ageHours)} hours old; the limit is ${maxAgeHours}.`,
    { hint: error.hint },
  );
}

/**
 * Runs a function over many items with limited concurrency, and yields the results in order. If the consumer stops or a
 * call fails, no further calls start.
 */
export async function* mapConcurrently<T, R>(
  items: Iterable<T>,
  concurrency: number,
  run: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const limit = pLimit(concurrency);
  // Look ahead a few items, so that one slow item doesn't block the others.
  const ahead = concurrency * 4;
  const queue: Promise<R>[] = [];
  try {
    for (const item of items) {
      const result = limit(run, item);
      // Avoid an unhandled rejection: the result is awaited below, but another call may fail first.
      result.catch(() => undefined);
      queue.push(result);
      const next = queue.length >= ahead ? queue.shift() : undefined;
      if (next) yield await next;
    }
    for (let next = queue.shift(); next; next = queue.shift()) yield await next;
  } finally {
    limit.clearQueue();
  }
}
