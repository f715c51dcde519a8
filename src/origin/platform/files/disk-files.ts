import { randomUUID } from 'node:crypto';
import { access, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileOutside } from './file-outside.ts';
import type { FileStore } from './file-store.ts';
import { measureFolder } from './measure-folder.ts';
import { openBelow } from './open-below.ts';

const UNFINISHED = '.incoming';

/**
 * Files in a folder of this machine. Each is written under another name, flushed to the disk, and only then given
 * its own, as is the folder that names it.
 */
export function diskFiles(folder: string): FileStore {
  const root = path.resolve(folder);
  const locate = (name: string) => {
    const found = path.resolve(root, name);
    if (name.includes('\0') || !found.startsWith(root + path.sep)) throw fileOutside(name);
    return found;
  };

  /** @returns whether the name was free, or did not have to be */
  async function write(name: string, bytes: Uint8Array, give: typeof link): Promise<boolean> {
    const target = locate(name);
    const unfinished = path.join(root, UNFINISHED, randomUUID());
    await mkdir(path.dirname(unfinished), { recursive: true });
    await makeFolder(path.dirname(target));
    try {
      const file = await open(unfinished, 'wx');
      try {
        await file.writeFile(bytes);
        await file.sync();
      } finally {
        await file.close();
      }
      await give(unfinished, target);
      await flushFolder(path.dirname(target));
      return true;
    } catch (error) {
      if (isCode(error, 'EEXIST')) return false;
      throw error;
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  return {
    folder: root,
    // A link, other than a new name, never replaces what is there.
    add: (name, bytes) => write(name, bytes, link),
    put: async (name, bytes) => void (await write(name, bytes, rename)),
    read: (name) => unlessMissing(readFile(locate(name))),
    open: async (name) => openBelow(root, locate(name)),
    has: (name) =>
      access(locate(name)).then(
        () => true,
        () => false,
      ),
    remove: async (name) => {
      const target = locate(name);
      await rm(target, { force: true });
      await unlessMissing(flushFolder(path.dirname(target)));
    },
    list: async (name) => {
      const entries = (await unlessMissing(readdir(locate(name), { withFileTypes: true }))) ?? [];
      const files = entries.filter((entry) => entry.isFile());
      const found = await Promise.all(
        files.map(async (file) => {
          const about = await unlessMissing(stat(path.join(locate(name), file.name)));
          return about ? [{ path: `${name}/${file.name}`, writtenAt: about.mtime }] : [];
        }),
      );
      return found.flat();
    },
    measure: () => measureFolder(root),
    async removeUnfinished(olderThanMs) {
      const before = Date.now() - olderThanMs;
      for (const { path: name, writtenAt } of await this.list(UNFINISHED))
        if (writtenAt.getTime() <= before) await rm(locate(name), { force: true });
    },
  };
}

/** Makes a folder and those above it; the names of new ones are flushed too. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let at = folder; at.length >= first.length; at = path.dirname(at)) await flushFolder(path.dirname(at));
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
