import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file that isn't there yet: whole or not at all, because it is written beside its place and renamed.
 * Returns the number of bytes written, or `undefined` if the file was there, in which case `make` is not called.
 */
export async function writeOnce(path: string, make: () => Promise<Buffer>): Promise<number | undefined> {
  if (await exists(path)) return undefined;
  const content = await make();
  const part = `${path}.${process.pid}.part`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(part, content);
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  return content.length;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
