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
 * A folder that takes long to make and is the same for everybody: kept in `node_modules/.cache/sortiment`, which may be
 * deleted at any time, and made when it is missing. It appears whole or not at all. Several processes may make it at
 * once; the first to finish gives its result the name.
 *
 * @param name A kind, a hyphen, and what the content depends on. Others of the kind go when they weren't used for a week.
 */
export async function cachedFolder(
  name: string,
  make: (folder: string) => Promise<void>,
  cacheFolder: string = chooseCacheFolder(),
): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(folder)) {
    // Its age is the time since its last use. A cache that is shared read-only is as good.
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
  const beside = join(packages, '.cache', 'sortiment');
  return isWritable(beside) ? beside : privateTemporaryFolder();
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

/** A name that others can guess, so one that others could have made first: it must be ours and closed to them. */
function privateTemporaryFolder(): string {
  const { uid } = userInfo();
  const folder = join(tmpdir(), `sortiment-cache-${uid}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owner = lstatSync(folder);
  const isOurs = owner.isDirectory() && (uid === -1 || (owner.uid === uid && (owner.mode & 0o077) === 0));
  if (isOurs) return folder;
  const unguessable = join(tmpdir(), `sortiment-cache-${randomUUID()}`);
  mkdirSync(unguessable, { mode: 0o700 });
  return unguessable;
}

/** What a killed maker left behind, and what nobody uses any more. */
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
