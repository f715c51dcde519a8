export { checkTarget } from './guarded-fetch.ts';
export { guardedFetch, type GuardedResponse, type GuardedFetchOptions } from './guarded-fetch.ts';
export { isPublicAddress } from './guarded-fetch.ts';
