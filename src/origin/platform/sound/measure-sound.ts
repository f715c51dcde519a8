import { measureParts, type Sound } from '#files/sound/measure-parts.ts';
import type { FileStore } from '#origin/platform/files/index.ts';

/**
 * Measures a sound of a file store.
 *
 * @returns undefined for what is no sound, or none that can be measured
 */
export async function measureSound(files: FileStore, path: string): Promise<Sound | undefined> {
  const opened = await files.open(path);
  await opened?.close();
  return opened && measureParts({ bytes: opened.bytes, read: (start, length) => readPart(files, path, start, length) });
}

async function readPart(files: FileStore, path: string, start: number, length: number): Promise<Buffer> {
  const file = await files.open(path);
  const end = Math.min(start + length, file?.bytes ?? 0) - 1;
  if (!file || end < start) {
    await file?.close();
    return Buffer.alloc(0);
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of await file.stream({ start, end })) chunks.push(chunk);
  return Buffer.concat(chunks);
}
