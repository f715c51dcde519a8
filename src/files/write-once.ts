import { existsSync } from 'node:fs';
import { replaceFile } from './replace-file.ts';

/**
 * Writes a file that isn't there yet, whole or not at all.
 * @returns How many bytes; undefined if it was there, in which case `make` is not called.
 */
export async function writeOnce(file: string, make: () => Promise<Uint8Array>): Promise<number | undefined> {
  if (existsSync(file)) return undefined;
  const content = await make();
  await replaceFile(file, content);
  return content.length;
}
