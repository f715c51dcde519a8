export type { CatalogueChanged } from './compose-message.ts';
export { deliverOutbox, type DeliverOutboxOptions } from './deliver-outbox.ts';
export { formatReport } from './format-report.ts';
export { readAssortment, type Assortment, type ReadAssortmentOptions } from './read-assortment.ts';
export { runSync } from './run-sync.ts';
export type { RunSyncOptions, SyncLogger, SyncProgress } from './sync-options.ts';
export type {
  AssetCounts,
  Change,
  ChangeCounts,
  ChangeKind,
  FieldChange,
  IssueGroup,
  SyncReport,
} from './sync-report.ts';
