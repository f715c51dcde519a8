import type { Transport } from '../client/index.ts';
import type { Settings } from '../config/index.ts';
import type { Snapshot, Staging } from '../snapshot/index.ts';
import type { IssueCollection } from './collect-issues.ts';
import type { SyncLogger, SyncProgress } from './sync-options.ts';

/** What the stages of one run share. */
export interface SyncRun {
  id: string;
  startedAt: Date;
  settings: Settings;
  snapshot: Snapshot;
  staging: Staging;
  transport: Transport;
  issues: IssueCollection;
  logger: SyncLogger;
  progress: (progress: SyncProgress) => void;
}
