import { measureAudio, type AudioMeasurement } from '#files/media/audio.ts';
import type { FileStore } from '#origin/platform/files/file-store.ts';

/**
 * Measures an audio file of the file store.
 *
 * @returns undefined if it is no measurable audio file
 */
export async function measureStoredAudio(files: FileStore, path: string): Promise<AudioMeasurement | undefined> {
  const opened = await files.open(path);
  await opened?.close();
  return (
    opened && measureAudio({ bytes: opened.bytes, read: (start, length) => readRange(files, path, start, length) })
  );
}

async function readRange(files: FileStore, path: string, start: number, length: number): Promise<Buffer> {
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
