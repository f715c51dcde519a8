export { findAssetOwners } from './asset-owners.ts';
export { cachedStatements } from './cached-statements.ts';
export { canonicalJson } from './digest-record.ts';
export { commitStaging, type Commit, type CommitOutcome, type ReadSource } from './commit-staging.ts';
export { countKnown, type KnownCount } from './count-known.ts';
export { digestProduct } from './digest-record.ts';
export { digestRecord, NORMALISER_VERSION } from './digest-record.ts';
export { findDeclarationOwners, findUnaccepted } from './find-declarations.ts';
export { findRemovals, type Removal } from './staged-changes.ts';
export { lockSnapshot, type SnapshotLock } from './lock-snapshot.ts';
export { namedAssets, type NamedAsset } from './named-assets.ts';
export { normaliseDecimal } from './digest-record.ts';
export { openSnapshot, type OpenSnapshotOptions, type Snapshot } from './open-snapshot.ts';
export {
  addMessage,
  beginAttempt,
  claimMessage,
  isDisabled,
  lastDeliveredAt,
  listMessages,
  pendingMessages,
  postponeMessage,
  readQueue,
  releaseMessage,
  reviveMessages,
  recordAlreadyLive,
  recordResult,
  type Claim,
  type ClaimOptions,
  type HookQueue,
  type MessageState,
  type NewMessage,
  type OutboxMessage,
} from './outbox.ts';
export { PRODUCT_VERSIONS } from './product-versions.ts';
export type { ChangeCursor, SnapshotReader } from './read-snapshot.ts';
export type {
  BrokenDocument,
  EarlierDocument,
  FamilyRecord,
  StoredFile,
  HeldProduct,
  KnownProduct,
  LanguageRecord,
  PastDocument,
  PastName,
  PastPlace,
  PastSlug,
  ProductState,
  SiteRecord,
  Stored,
  StoredAsset,
  StoredProduct,
  StoredRun,
  StoredSource,
  UnacceptedBytes,
} from './rows.ts';
export { changedProducts, stagedChanges, type ChangedFile, type StagedChange } from './staged-changes.ts';
export { stageRun, type StagedProduct, type StagedRecord, type Staging } from './stage-run.ts';
export { isRemembering, keptRows, rememberReads, type KeptRows } from './remember-reads.ts';
export { storageFailure } from './storage-failure.ts';
export { storeAsset, storeFile } from './store-asset.ts';
export { stripSignature } from './digest-record.ts';
