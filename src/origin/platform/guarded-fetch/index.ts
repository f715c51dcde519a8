export { checkTarget } from './guarded-fetch.ts';
export { guardedFetch, type GuardedAnswer, type GuardedFetchOptions } from './guarded-fetch.ts';
export { isPublicAddress } from './guarded-fetch.ts';
