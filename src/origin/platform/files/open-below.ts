import { open, realpath } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { OpenFile } from './file-store.ts';

/** Opens a file below a folder, links resolved; not one to which a link leads out of it. */
export async function openBelow(root: string, located: string): Promise<OpenFile | undefined> {
  const found = await resolveBelow(root, located);
  const file = found === undefined ? undefined : await open(found, 'r').catch(() => undefined);
  if (!file) return undefined;
  const about = await file.stat();
  if (!about.isFile()) {
    await file.close();
    return undefined;
  }
  return {
    bytes: about.size,
    modifiedAt: about.mtime,
    etag: `"${about.size.toString(16)}-${about.mtime.getTime().toString(16)}"`,
    stream: (range) =>
      Promise.resolve(Readable.toWeb(file.createReadStream(range ?? {})) as ReadableStream<Uint8Array>),
    close: () => file.close(),
  };
}

async function resolveBelow(root: string, located: string): Promise<string | undefined> {
  try {
    const [folder, found] = [await realpath(root), await realpath(located)];
    return found.startsWith(folder + path.sep) ? found : undefined;
  } catch {
    return undefined;
  }
}
