export { lockPath } from './take-lock.ts';
export { cachedFolder } from './cached-folder.ts';
export { openStore, type OpenStoreOptions } from './open-store.ts';
export type { OpenStore } from './store.ts';
export { putProducts } from './put-products.ts';
export { readLock, type LockedOrigin, type LockReading } from './take-lock.ts';
export { retryTransaction, type SendLast, type Transaction } from './query-errors.ts';
export { sqlState } from './query-errors.ts';
export type { Database, Store } from './store.ts';
