import type { TransportOptions, Transport } from '#client/create-transport.ts';
import type { Upstreams, Settings } from '#config/index.ts';
import type { SyncedKind } from '#contracts/synced/index.ts';
import type { SnapshotReader, Snapshot, Staging } from '#snapshot/index.ts';
import type { AssetKind } from './assets/asset-kind.ts';
import type { PageLanguages } from './guard/find-hidden-pages.ts';
import type { Issue, IssueCollection } from './report/collect-issues.ts';
import type { SourceReport, SyncReport } from './report/sync-report.ts';
import type { Credential } from '#client/credential.ts';
import type { PublishingSite } from '#client/detect-publishing.ts';

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
  /**
   * Sources that are read in full, regardless of validators and dates.
   * @default none
   */
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
  /** The publishing site as described by its index; undefined until it was detected. */
  publishingSite: PublishingSite | undefined;
  /** Returns the credential for a file. Only files on the origin of an upstream with an account have one. */
  credentialFor: (address: string) => Credential | undefined;
  kinds: SyncKinds;
  snapshot: Snapshot;
  staging: Staging;
  transport: Transport;
  issues: IssueCollection;
  logger: SyncLogger;
  progress: (progress: SyncProgress) => void;
  /** True if the caller requested a full read of a source. */
  isFull: (source: SourceReport['name']) => boolean;
  /** Limits of this run. */
  budget: { maxRequests: number | undefined; maxMinutes: number | undefined };
  /** True if the limit of requests or time is reached. Remaining records are left for the next run. */
  isSpent: () => boolean;
  /** Counts for the report. */
  tally: Pick<SyncReport, 'resumed' | 'unasked' | 'uncompared' | 'awaitedRemovals' | 'headsAsOf'>;
}
