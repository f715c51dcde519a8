import type { Credential, PublishingSite, Transport } from '#client/index.ts';
import type { Settings } from '#config/index.ts';
import type { Snapshot, Staging } from '#snapshot/index.ts';
import type { IssueCollection } from './report/collect-issues.ts';
import type { SourceReport, SyncReport } from './report/sync-report.ts';
import type { SyncKinds, SyncLogger, SyncProgress } from './sync-options.ts';

/** What the stages of one run share. */
export interface SyncRun {
  id: string;
  startedAt: Date;
  settings: Settings;
  /** Address that relative ones in texts of products are resolved against. */
  productBase: string | undefined;
  /** Whether files may be fetched from an address. */
  isMediaHost: (url: URL) => boolean;
  /** As its index describes it; undefined until it was found. */
  publishingSite: PublishingSite | undefined;
  /** Finds the credential for a file, which only those on the origin of an upstream with an account have. */
  credentialFor: (address: string) => Credential | undefined;
  kinds: SyncKinds;
  snapshot: Snapshot;
  staging: Staging;
  transport: Transport;
  issues: IssueCollection;
  logger: SyncLogger;
  progress: (progress: SyncProgress) => void;
  /** Whether a source is read again as a whole, because the caller wants it so. */
  isFull: (source: SourceReport['name']) => boolean;
  /** Limits of this run. */
  budget: { maxRequests: number | undefined; maxMinutes: number | undefined };
  /** Whether this run's limit of requests or time is reached; the remaining records wait for the next run. */
  isSpent: () => boolean;
  /** For the report. */
  tally: Pick<SyncReport, 'resumed' | 'unasked' | 'uncompared' | 'awaitedRemovals' | 'headsAsOf'>;
}
