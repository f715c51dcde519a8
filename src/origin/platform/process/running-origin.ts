import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SortimentError } from '#contracts/index.ts';
import { unsealText } from '#origin/platform/accounts/unseal-text.ts';
import { lockPath, readLock } from '#origin/platform/store/take-lock.ts';

const KEY_BYTES = 32;

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

/**
 * The origin's key, that seals tokens and signs sessions: `ORIGIN_KEY` in base64, else the file `key` of the data
 * folder, which is made on the first start and readable for its owner alone.
 */
export function readOriginKey(
  dataFolder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Uint8Array {
  const given = environment['ORIGIN_KEY'];
  if (given)
    return check(Buffer.from(given, 'base64'), 'ORIGIN_KEY', 'Set it to 32 bytes in base64: openssl rand -base64 32');
  const path = join(dataFolder, 'key');
  return check(readKeyFile(path) ?? makeKeyFile(path), path, 'Restore the file, or delete it: all tokens end then.');
}

function readKeyFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whole or not at all; when two processes make it at once, the first one's counts. */
function makeKeyFile(path: string): Buffer | undefined {
  mkdirSync(join(path, '..'), { recursive: true });
  const own = `${path}.${randomUUID()}`;
  writeFileSync(own, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
  try {
    linkSync(own, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(own);
  }
  return readKeyFile(path);
}

function check(key: Buffer | undefined, where: string, hint: string): Uint8Array {
  if (key?.length === KEY_BYTES) return new Uint8Array(key);
  throw new SortimentError('ORIGIN_KEY_INVALID', `The origin's key in ${where} is not ${KEY_BYTES} bytes long.`, {
    hint,
  });
}
