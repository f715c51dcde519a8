export { checkTarget } from './check-target.ts';
export { guardedFetch, type GuardedAnswer, type GuardedFetchOptions } from './guarded-fetch.ts';
export { isPublicAddress } from './is-public-address.ts';
