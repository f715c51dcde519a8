import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Temporary bytes on disk. */
export interface ScratchFile {
  readonly bytes: number;
  write(chunk: Uint8Array): Promise<void>;
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

/** Creates an unlinked temporary file, which disappears when it is closed or the process ends. */
export async function createScratchFile(): Promise<ScratchFile> {
  const path = join(tmpdir(), `sortiment-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    async write(chunk) {
      await file.write(chunk, 0, chunk.byteLength, bytes);
      bytes += chunk.byteLength;
    },
    async read() {
      const all = Buffer.allocUnsafe(bytes);
      for (let at = 0; at < bytes;) {
        const { bytesRead } = await file.read(all, at, bytes - at, at);
        if (bytesRead === 0) throw new Error('The scratch file is shorter than the data written to it.');
        at += bytesRead;
      }
      return all;
    },
    close: () => file.close(),
  };
}
