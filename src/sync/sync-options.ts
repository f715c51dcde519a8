import type { TransportOptions } from '#client/index.ts';
import type { Upstreams } from '#config/index.ts';
import type { SyncedKind } from '#contracts/synced/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { AssetKind } from './assets/asset-kind.ts';
import type { PageLanguages } from './guard/find-hidden-pages.ts';
import type { Issue } from './report/collect-issues.ts';
import type { SourceReport } from './report/sync-report.ts';

/** Astro's loggers fit, and so does a `console`. */
export interface SyncLogger {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface SyncProgress {
  stage: 'products' | 'publishing' | 'assets';
  done: number;
  /** Unknown while lists are still being read. */
  total: number | undefined;
}

/** What a run reads from a publishing site, and how it checks the files that records refer to. */
export interface SyncKinds {
  content: readonly SyncedKind[];
  assets: readonly AssetKind[];
}

export interface RunSyncOptions {
  /** `settings.upstreams`, or the embedded origin's when that says `embedded`. */
  upstreams: Upstreams;
  logger: SyncLogger;
  progress?: (progress: SyncProgress) => void;
  /** Digest printed by the mass-change guard: accepts exactly those changes. */
  accept?: string;
  /** Sources that are read again as a whole, whatever validators, dates and ages say. @default none */
  full?: readonly SourceReport['name'][];
  /** Stop requesting records after this many requests; the longest unread records go first. */
  maxRequests?: number;
  /** Stop requesting records after this many minutes. */
  maxMinutes?: number;
  /** Languages of the pages of a snapshot, for the guard. @default pages are guarded together only */
  languagesOf?: (snapshot: SnapshotReader) => PageLanguages;
  /** Further warnings, from the snapshot as it will be. */
  inspect?: (snapshot: SnapshotReader) => Issue[];
  /** Waits before retries. */
  retry?: TransportOptions['retry'];
  /** @default SYNCED_KINDS and ASSET_KINDS */
  kinds?: SyncKinds;
  /** Stops the run; nothing is written. */
  signal?: AbortSignal;
  /** Environment with the hooks' addresses and secrets. @default process.env */
  environment?: NodeJS.ProcessEnv;
  now?: () => Date;
}
