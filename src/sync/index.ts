export type { CatalogueChanged } from './hooks/compose-message.ts';
export { deliverOutbox, type DeliverOutboxOptions } from './hooks/deliver-outbox.ts';
export { formatReport } from './report/format-report.ts';
export { plainText } from './publishing/plain-text.ts';
export { readAssortment, type ReadAssortmentOptions } from './assortment/read-assortment.ts';
export type { Assortment } from './assortment/check-assortment.ts';
export type { Issue } from './report/collect-issues.ts';
export { runSync } from './run-sync.ts';
export type { RunSyncOptions, SyncLogger, SyncProgress } from './sync-options.ts';
export type {
  AssetCounts,
  Change,
  ChangeCounts,
  FieldChange,
  IssueGroup,
  SyncReport,
} from './report/sync-report.ts';
