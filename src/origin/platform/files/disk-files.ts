import { randomUUID } from 'node:crypto';
import { access, constants, copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path, { join } from 'node:path';
import { Readable } from 'node:stream';
import { SortimentError } from '#contracts/index.ts';
import { resolveBelow, unlessMissing } from '#files/resolve-below.ts';
import { hasReachedAge, type FileStore, type OpenFile } from './file-store.ts';

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
  async function write(name: string, from: Uint8Array | string, give: typeof link): Promise<boolean> {
    const target = locate(name);
    const unfinished = path.join(root, UNFINISHED, randomUUID());
    await mkdir(path.dirname(unfinished), { recursive: true });
    await makeFolder(path.dirname(target));
    try {
      if (typeof from === 'string') await copyFile(from, unfinished, constants.COPYFILE_EXCL);
      const file = await open(unfinished, typeof from === 'string' ? 'r+' : 'wx');
      try {
        if (typeof from !== 'string') await file.writeFile(from);
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
    putFile: async (name, from) => void (await write(name, from, rename)),
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
    list: async (name, prefix = '') => {
      const entries = (await unlessMissing(readdir(locate(name), { withFileTypes: true }))) ?? [];
      const files = entries.filter((entry) => entry.isFile() && entry.name.startsWith(prefix));
      const found = await Promise.all(
        files.map(async (file) => {
          const about = await unlessMissing(stat(path.join(locate(name), file.name)));
          return about ? [{ path: `${name}/${file.name}`, writtenAt: about.mtime }] : [];
        }),
      );
      return found.flat();
    },
    measure: () => measureFolder(root),
    async removeUnfinished(minAgeMs) {
      for (const file of await this.list(UNFINISHED))
        if (hasReachedAge(file, minAgeMs)) await rm(locate(file.path), { force: true });
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

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** A path that leads out of the files it is asked of. */
export function fileOutside(path: string): SortimentError {
  return new SortimentError('FILE_OUTSIDE', `"${path}" does not lie in the folder of files.`, {
    hint: 'Name files by paths below that folder.',
  });
}

/** Opens a file below a folder, links resolved; not one to which a link leads out of it. */
async function openBelow(root: string, located: string): Promise<OpenFile | undefined> {
  const found = await resolveBelow(root, located);
  const file = found === undefined ? undefined : await unlessMissing(open(found, 'r'));
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

/** Bytes of all files below a folder; 0 without one. Files that go meanwhile do not count. */
async function measureFolder(folder: string): Promise<number> {
  const entries = (await unlessMissing(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    bytes += (await unlessMissing(stat(join(entry.parentPath, entry.name))))?.size ?? 0;
  }
  return bytes;
}

/** Runs tasks with the same key one after the other. */
export function keyedQueue(): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const turn = (last.get(key) ?? Promise.resolve()).then(run, run);
    last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (last.get(key) === turn) last.delete(key);
    }
  };
}
