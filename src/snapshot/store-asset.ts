import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

export interface StoredBytes {
  /** SHA-256, hex. */
  digest: string;
  /** `ab/cdef….png`, relative to the folder. */
  file: string;
}

/**
 * Stores bytes under their digest in a folder. Writes atomically: to a temporary name, flushed to the disk and then
 * renamed.
 */
export async function storeAsset(folder: string, bytes: Uint8Array, extension: string): Promise<StoredBytes> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const { file, target } = assetPath(folder, digest, extension);
  if (existsSync(target)) return { digest, file };
  await mkdir(path.dirname(target), { recursive: true });
  const temporary = `${target}.${randomUUID()}.part`;
  try {
    await writeFile(temporary, bytes, { flag: 'wx', flush: true });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return { digest, file };
}

/** Moves a file of any size into the folder, under the digest of its bytes. */
export async function storeFile(folder: string, source: string, extension: string): Promise<StoredBytes> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(source), hash);
  const digest = hash.digest('hex');
  const { file, target } = assetPath(folder, digest, extension);
  if (existsSync(target)) {
    await rm(source, { force: true });
    return { digest, file };
  }
  {
    await using handle = await open(source, 'r+');
    await handle.sync();
  }
  await mkdir(path.dirname(target), { recursive: true });
  await rename(source, target);
  return { digest, file };
}

function assetPath(folder: string, digest: string, extension: string): { file: string; target: string } {
  const file = `${digest.slice(0, 2)}/${digest.slice(2)}.${extension}`;
  return { file, target: path.join(folder, file) };
}
