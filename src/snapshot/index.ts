export { type CommitResult, type ReadSource, commitStaging } from './commit-staging.ts';
export { NORMALISER_VERSION, digestProduct, digestRecord, normaliseDecimal, stripSignature } from './digest-record.ts';
export {
  type Snapshot,
  createStorageError,
  describeSnapshotFiles,
  findMissingSnapshot,
  lockSnapshot,
  openSnapshot,
  readDigest,
} from './open-snapshot.ts';
export {
  type HookQueue,
  type NewMessage,
  type OutboxMessage,
  addMessage,
  claimMessage,
  isDisabled,
  lastDeliveredAt,
  listMessages,
  listPendingMessages,
  postponeMessage,
  readQueue,
  recordAlreadyLive,
  recordResult,
  releaseMessage,
  requeueMessages,
  startAttempt,
} from './outbox.ts';
export { type ChangeCursor, type SnapshotReader, withReadCache } from './read-snapshot.ts';
export {
  type BrokenDocument,
  type EarlierDocument,
  type FamilyRecord,
  type LanguageRecord,
  type PastAddress,
  type ProductCheck,
  type ProductValidators,
  type Stored,
  type StoredAsset,
  type StoredProduct,
  type StoredRun,
  type StoredSource,
  cachedStatements,
} from './rows.ts';
export { type StagedProduct, type Staging, stageRun } from './stage-run.ts';
export {
  type ChangedFile,
  type RecordCount,
  type Removal,
  type StagedChange,
  countPresentRecords,
  findDeclarationOwners,
  findPendingDocuments,
  findRemovals,
  listProductAssets,
  listChangedProducts,
  listStagedChanges,
} from './staged-changes.ts';
export { storeAsset, storeFile } from './store-asset.ts';
