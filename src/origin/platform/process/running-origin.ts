import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf, SortimentError } from '#contracts/sortiment-error.ts';
import { unsealText } from '#origin/platform/accounts/sealed-texts.ts';
import { lockPath, readLock } from '#origin/platform/store/acquire-lock.ts';

const KEY_BYTES = 32;

export interface OriginAddress {
  /** Listening address, without a trailing slash. */
  url: string;
  /** Address used in links. */
  publicUrl: string;
  restRoot: string;
  /** Token of the product interface, for the sync of the same project. */
  productToken: string;
}

/** Finds the origin that another process serves from this data folder. Undefined if there is none. */
export function findRunningOrigin(dataFolder: string): Promise<OriginAddress | undefined> {
  const lock = readLock(lockPath(dataFolder));
  if (!lock?.held || !lock.origin) return Promise.resolve(undefined);
  const { sealedToken, ...address } = lock.origin;
  const key = readOriginKey(dataFolder, process.env);
  const productToken = unsealText(key, Buffer.from(sealedToken, 'base64'));
  return Promise.resolve(productToken === undefined ? undefined : { ...address, productToken });
}

/**
 * Reads the key that seals tokens and signs sessions: `ORIGIN_KEY` in base64, else the file `key` of the data folder.
 * The file is created on the first start, readable by its owner only.
 */
export function readOriginKey(
  dataFolder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Uint8Array {
  const encoded = environment['ORIGIN_KEY'];
  if (encoded)
    return check(Buffer.from(encoded, 'base64'), 'ORIGIN_KEY', 'Set it to 32 bytes in base64: openssl rand -base64 32');
  const path = join(dataFolder, 'key');
  return check(
    readKeyFile(path) ?? makeKeyFile(path),
    path,
    'Restore the file, or delete it, which invalidates all tokens.',
  );
}

function readKeyFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the file atomically. If two processes do so at once, the first one wins. */
function makeKeyFile(path: string): Buffer | undefined {
  mkdirSync(join(path, '..'), { recursive: true });
  const temporaryPath = `${path}.${randomUUID()}`;
  writeFileSync(temporaryPath, randomBytes(KEY_BYTES), { mode: 0o600, flush: true });
  try {
    linkSync(temporaryPath, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(temporaryPath);
  }
  return readKeyFile(path);
}

function check(key: Buffer | undefined, where: string, hint: string): Uint8Array {
  if (key?.length === KEY_BYTES) return new Uint8Array(key);
  throw new SortimentError('ORIGIN_KEY_INVALID', `The origin's key in ${where} is not ${KEY_BYTES} bytes long.`, {
    hint,
  });
}
