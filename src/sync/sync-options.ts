import type { TransportOptions } from '#client/index.ts';
import type { Upstreams } from '#config/index.ts';
import type { SyncedKind } from '#contracts/synced/index.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { AssetKind } from './assets/asset-kind.ts';
import type { Issue } from './report/collect-issues.ts';

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

/** What a run reads of a publishing site, and how it checks the files that records name. */
export interface SyncKinds {
  content: readonly SyncedKind[];
  assets: readonly AssetKind[];
}

export interface RunSyncOptions {
  /** `settings.upstreams`, or the embedded origin's when that says `embedded`. */
  upstreams: Upstreams;
  logger: SyncLogger;
  progress?: (progress: SyncProgress) => void;
  /** Digest that the mass-change guard printed: lets exactly those changes through. */
  accept?: string;
  /** Requests after which no further record is asked for; what was longest unread goes first then. */
  maxRequests?: number;
  /** Minutes after which no further record is asked for. */
  maxMinutes?: number;
  /** What else the report should warn of, by the snapshot as it will be. */
  inspect?: (snapshot: SnapshotReader) => Issue[];
  /** How long the waits before other attempts are. */
  retry?: TransportOptions['retry'];
  /** @default SYNCED_KINDS and ASSET_KINDS */
  kinds?: SyncKinds;
  /** Stops the run; nothing is written. */
  signal?: AbortSignal;
  /** Where the hooks' addresses and secrets are. @default process.env */
  environment?: NodeJS.ProcessEnv;
  now?: () => Date;
}
