import { unsealText } from '#origin/platform/accounts/unseal-text.ts';
// Not from the store's index: commands that only look for an origin need none of what a store is made of.
import { lockPath } from '#origin/platform/store/lock-path.ts';
import { readLock } from '#origin/platform/store/read-lock.ts';
import { readOriginKey } from './read-origin-key.ts';

export interface OriginAddress {
  /** Where it listens, without a slash at the end. */
  url: string;
  /** The address that its links carry. */
  publicUrl: string;
  restRoot: string;
  /** A token of the product interface, for the sync of the same project. */
  productToken: string;
}

/** The origin that another process serves from this data folder; `undefined` if there is none. */
export function findRunningOrigin(dataFolder: string): Promise<OriginAddress | undefined> {
  const lock = readLock(lockPath(dataFolder));
  if (!lock?.held || !lock.origin) return Promise.resolve(undefined);
  const { sealedToken, ...address } = lock.origin;
  const key = readOriginKey(dataFolder, process.env);
  const productToken = unsealText(key, Buffer.from(sealedToken, 'base64'));
  return Promise.resolve(productToken === undefined ? undefined : { ...address, productToken });
}
