import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes that are kept out of memory until they are wanted. */
export interface ScratchFile {
  readonly bytes: number;
  write(chunk: Uint8Array): Promise<void>;
  read(): Promise<Buffer>;
  close(): Promise<void>;
}

/** A file without a name: it is gone when it is closed, and when the process dies. */
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
        if (bytesRead === 0) throw new Error('A scratch file is shorter than what was written to it.');
        at += bytesRead;
      }
      return all;
    },
    close: () => file.close(),
  };
}
