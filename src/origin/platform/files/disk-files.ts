import { randomUUID } from 'node:crypto';
import { access, constants, copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path, { join } from 'node:path';
import { Readable } from 'node:stream';
import { codeOf, SortimentError } from '#contracts/sortiment-error.ts';
import { resolveBelow, ignoreMissing } from '#files/built-files.ts';
import { flushPath } from '#files/replace-file.ts';
import { isOlderThan, type FileStore, type OpenFile } from './file-store.ts';

const UNFINISHED = '.incoming';

/**
 * Stores files in a local folder. Each file is written under a temporary name, flushed and then renamed; its folder
 * is flushed too.
 */
export function diskFiles(folder: string): FileStore {
  const root = path.resolve(folder);
  const locate = (name: string) => {
    const found = path.resolve(root, name);
    if (name.includes('\0') || !found.startsWith(root + path.sep)) throw createFileOutsideError(name);
    return found;
  };

  /** @returns false if the name exists and `publish` doesn't replace it */
  async function write(name: string, source: Uint8Array | string, publish: typeof link): Promise<boolean> {
    const target = locate(name);
    const unfinished = path.join(root, UNFINISHED, randomUUID());
    await mkdir(path.dirname(unfinished), { recursive: true });
    await makeFolder(path.dirname(target));
    try {
      if (typeof source === 'string') await copyFile(source, unfinished, constants.COPYFILE_EXCL);
      const file = await open(unfinished, typeof source === 'string' ? 'r+' : 'wx');
      try {
        if (typeof source !== 'string') await file.writeFile(source);
        await file.sync();
      } finally {
        await file.close();
      }
      await publish(unfinished, target);
      await flushPath(path.dirname(target));
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(unfinished, { force: true });
    }
  }

  return {
    folder: root,
    // Unlike a rename, a link never replaces an existing file.
    add: (name, bytes) => write(name, bytes, link),
    put: async (name, bytes) => void (await write(name, bytes, rename)),
    putFile: async (name, from) => void (await write(name, from, rename)),
    read: (name) => ignoreMissing(readFile(locate(name))),
    open: async (name) => openBelow(root, locate(name)),
    has: (name) =>
      access(locate(name)).then(
        () => true,
        () => false,
      ),
    remove: async (name) => {
      const target = locate(name);
      await rm(target, { force: true });
      await ignoreMissing(flushPath(path.dirname(target)));
    },
    list: async (name, prefix = '') => {
      const entries = (await ignoreMissing(readdir(locate(name), { withFileTypes: true }))) ?? [];
      const files = entries.filter((entry) => entry.isFile() && entry.name.startsWith(prefix));
      const found = await Promise.all(
        files.map(async (file) => {
          const stats = await ignoreMissing(stat(path.join(locate(name), file.name)));
          return stats ? [{ path: `${name}/${file.name}`, writtenAt: stats.mtime }] : [];
        }),
      );
      return found.flat();
    },
    measure: () => measureFolder(root),
    async removeUnfinished(minAgeMs) {
      for (const file of await this.list(UNFINISHED))
        if (isOlderThan(file, minAgeMs)) await rm(locate(file.path), { force: true });
    },
  };
}

/** Creates a folder with its parents, and flushes the entries of new ones. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return;
  for (let current = folder; current.length >= first.length; current = path.dirname(current))
    await flushPath(path.dirname(current));
}

export function createFileOutsideError(path: string): SortimentError {
  return new SortimentError('FILE_OUTSIDE', `"${path}" is outside the files folder.`, {
    hint: 'Use a path below that folder.',
  });
}

/** Opens a file below a folder, after resolving links. Links to targets outside are not followed. */
async function openBelow(root: string, located: string): Promise<OpenFile | undefined> {
  const found = await resolveBelow(root, located);
  const file = found === undefined ? undefined : await ignoreMissing(open(found, 'r'));
  if (!file) return undefined;
  const stats = await file.stat();
  if (!stats.isFile()) {
    await file.close();
    return undefined;
  }
  return {
    bytes: stats.size,
    modifiedAt: stats.mtime,
    etag: `"${stats.size.toString(16)}-${stats.mtime.getTime().toString(16)}"`,
    stream: (range) =>
      Promise.resolve(Readable.toWeb(file.createReadStream(range ?? {})) as ReadableStream<Uint8Array>),
    close: () => file.close(),
  };
}

/** Sums the bytes of all files below a folder; 0 if it doesn't exist. Files deleted during the walk are skipped. */
async function measureFolder(folder: string): Promise<number> {
  const entries = (await ignoreMissing(readdir(folder, { recursive: true, withFileTypes: true }))) ?? [];
  let bytes = 0;
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    bytes += (await ignoreMissing(stat(join(entry.parentPath, entry.name))))?.size ?? 0;
  }
  return bytes;
}

/** Creates a queue that runs tasks of the same key one at a time. */
export function keyedQueue(): <T>(key: string, run: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return async (key, run) => {
    const task = (last.get(key) ?? Promise.resolve()).then(run, run);
    last.set(key, task);
    try {
      return await task;
    } finally {
      if (last.get(key) === task) last.delete(key);
    }
  };
}
