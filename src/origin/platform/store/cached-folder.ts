import { randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

const UNFINISHED = '.building';
const ABANDONED_AFTER_MS = 3_600_000;
const UNUSED_AFTER_MS = 7 * 24 * 3_600_000;

/**
 * Returns a folder that is expensive to create and the same for all projects.
 *
 * It is stored in `node_modules/.cache/sortiment`, which may be deleted at any time. It is created atomically; if
 * several processes create it at once, the first to finish wins.
 *
 * @param name kind, a hyphen, and a key of the content. Other folders of the kind are removed after a week without
 * use.
 */
export async function cachedFolder(
  name: string,
  make: (folder: string) => Promise<void>,
  cacheFolder: string = chooseCacheFolder(),
): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) {
    // The modification time records the last use. A read-only cache works too.
    await utimes(folder, new Date(), new Date()).catch(() => undefined);
    return folder;
  }
  await removeOld(cacheFolder, name.replace(/-.*/, '-'));
  const unfinished = `${folder}.${randomUUID()}${UNFINISHED}`;
  try {
    await make(unfinished);
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

function chooseCacheFolder(): string {
  const packages = join(dirname(createRequire(import.meta.url).resolve('hono')), '..', '..', '..');
  const packagesCache = join(packages, '.cache', 'sortiment');
  return isWritable(packagesCache) ? packagesCache : privateTemporaryFolder();
}

function isWritable(folder: string): boolean {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Others could create a predictable folder first, so it must be owned by and restricted to the current user. */
function privateTemporaryFolder(): string {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `sortiment-cache-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owner = lstatSync(folder);
  const isPrivate = owner.isDirectory() && (uid === -1 || (owner.uid === uid && (owner.mode & 0o077) === 0));
  if (isPrivate) return folder;
  const unguessable = join(tmpdir(), `sortiment-cache-${randomUUID()}`);
  mkdirSync(unguessable, { mode: 0o700 });
  return unguessable;
}

/** Removes folders of killed processes and unused ones. */
async function removeOld(cacheFolder: string, kind: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    if (!name.startsWith(kind)) continue;
    const path = join(cacheFolder, name);
    const ageMs = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (ageMs > (name.endsWith(UNFINISHED) ? ABANDONED_AFTER_MS : UNUSED_AFTER_MS)) {
      await rm(path, { recursive: true, force: true });
    }
  }
}
