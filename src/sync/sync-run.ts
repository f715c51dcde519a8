import type { Credential } from '#client/credential.ts';
import type { PublishingSite } from '#client/detect-publishing.ts';
import type { Transport } from '#client/create-transport.ts';
import type { Settings } from '#config/index.ts';
import type { Snapshot, Staging } from '#snapshot/index.ts';
import type { IssueCollection } from './report/collect-issues.ts';
import type { SourceReport, SyncReport } from './report/sync-report.ts';
import type { SyncKinds, SyncLogger, SyncProgress } from './sync-options.ts';

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
