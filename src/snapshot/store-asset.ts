import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';

export interface StoredBytes {
  /** SHA-256, hex. */
  digest: string;
  /** `ab/cdef….png`, relative to the folder. */
  file: string;
}

/**
 * Stores bytes under their digest in a folder. Files are written atomically: under another name, flushed to the disk
 * and then renamed.
 */
export async function storeAsset(folder: string, bytes: Uint8Array, extension: string): Promise<StoredBytes> {
  const digest = createHash('sha256').update(bytes).digest('hex');
  const file = `${digest.slice(0, 2)}/${digest.slice(2)}.${extension}`;
  const target = path.join(folder, file);
  if (existsSync(target)) return { digest, file };
  await mkdir(path.dirname(target), { recursive: true });
  const temporary = `${target}.${randomUUID()}.part`;
  try {
    const handle = await open(temporary, 'wx');
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return { digest, file };
}
