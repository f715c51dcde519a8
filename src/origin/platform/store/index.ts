export { lockPath } from './lock-path.ts';
export { cachedFolder } from './cached-folder.ts';
export { openStore, type OpenStoreOptions } from './open-store.ts';
export type { OpenStore } from './store.ts';
export { putProducts } from './put-products.ts';
export { readLock, type LockedOrigin, type LockReading } from './read-lock.ts';
export { retryTransaction, type Transaction } from './retry-transaction.ts';
export { sqlState } from './sql-state.ts';
export type { Database, Store } from './store.ts';
