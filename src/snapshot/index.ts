export { findAssetOwners } from './staged-changes.ts';
export { cachedStatements } from './rows.ts';
export { canonicalJson } from './digest-record.ts';
export { commitStaging, type Commit, type CommitResult, type ReadSource } from './commit-staging.ts';
export { countPresentRecords, type RecordCount } from './count-present-records.ts';
export { digestProduct } from './digest-record.ts';
export { digestRecord, NORMALISER_VERSION } from './digest-record.ts';
export { findDeclarationOwners, findPendingDocuments } from './product-assets.ts';
export { findRemovals, type Removal } from './staged-changes.ts';
export { lockSnapshot, type SnapshotLock } from './lock-snapshot.ts';
export { listProductAssets, type ProductAsset } from './product-assets.ts';
export { normaliseDecimal } from './digest-record.ts';
export { openSnapshot, type OpenSnapshotOptions, type Snapshot } from './open-snapshot.ts';
export {
  addMessage,
  startAttempt,
  claimMessage,
  isDisabled,
  lastDeliveredAt,
  listMessages,
  listPendingMessages,
  postponeMessage,
  readQueue,
  releaseMessage,
  requeueMessages,
  recordAlreadyLive,
  recordResult,
  type Claim,
  type ClaimOptions,
  type HookQueue,
  type MessageState,
  type NewMessage,
  type OutboxMessage,
} from './outbox.ts';
export { withReadCache, type ChangeCursor, type SnapshotReader } from './read-snapshot.ts';
export type {
  BrokenDocument,
  EarlierDocument,
  FamilyRecord,
  StoredFile,
  ProductValidators,
  ProductCheck,
  LanguageRecord,
  PastDocument,
  PastName,
  PastAddress,
  PastSlug,
  ProductState,
  SiteRecord,
  Stored,
  StoredAsset,
  StoredProduct,
  StoredRun,
  StoredSource,
  PendingBytes,
} from './rows.ts';
export { listChangedProducts, listStagedChanges, type ChangedFile, type StagedChange } from './staged-changes.ts';
export { stageRun, type StagedProduct, type StagedRecord, type Staging } from './stage-run.ts';
export { createStorageError } from './lock-snapshot.ts';
export { storeAsset, storeFile } from './store-asset.ts';
export { stripSignature } from './digest-record.ts';
