import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SortimentError } from '#contracts/index.ts';
import { processBirth } from './process-birth.ts';
import { processPlace } from './process-place.ts';
import { readLock, TOUCH_MS, type LockContent, type LockedOrigin, type LockReading } from './read-lock.ts';

const NO_HARD_LINKS: readonly (string | undefined)[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

export interface StoreLock {
  /** Writes into the lock where this process serves the origin. */
  announce(origin: LockedOrigin): void;
  release(): void;
}

/**
 * Takes the lock of a store for this process. The file appears with its content in one step (`link`), and only the
 * one who could claim to succeed a dead holder replaces it.
 *
 * @param onLost Called when the lock is no longer this process's own: it was deleted, or a process elsewhere took
 *   it over because this one had stood still for a minute.
 * @throws {SortimentError} STORE_LOCKED if a living process holds it, this one included
 */
export function takeLock(path: string, onLost: () => void): StoreLock {
  mkdirSync(dirname(path), { recursive: true });
  const content: LockContent = {
    id: randomUUID(),
    pid: process.pid,
    startedAt: processBirth(process.pid) ?? '',
    place: processPlace(),
  };
  const own = writeOwn(path, content);
  try {
    while (!create(own, path)) {
      const chain = readChain(path);
      const last = chain.at(-1);
      if (last?.held) throw lockedError(path, last);
      if (last && succeed(own, path, chain)) break;
    }
  } finally {
    rmSync(own, { force: true });
  }
  return keepLock(path, content, onLost);
}

function keepLock(path: string, content: LockContent, onLost: () => void): StoreLock {
  const isOurs = () => readLock(path)?.id === content.id;
  const release = () => {
    clearInterval(touching);
    process.off('exit', release);
    if (isOurs()) rmSync(path, { force: true });
  };
  const touching = setInterval(() => {
    if (isOurs()) return utimesSync(path, new Date(), new Date());
    clearInterval(touching);
    onLost();
  }, TOUCH_MS).unref();
  process.once('exit', release);
  return {
    release,
    announce: (origin) => {
      if (isOurs()) renameSync(writeOwn(path, { ...content, origin }), path);
    },
  };
}

/**
 * The lock, then whoever claimed to succeed its dead holder, and so on: a claim is a lock of its own, as the
 * claimant may die too before it has replaced the lock.
 */
function readChain(path: string): LockReading[] {
  const chain: LockReading[] = [];
  for (let link = readLock(path); link; link = readLock(claimPath(path, link))) chain.push(link);
  return chain;
}

/**
 * Claims to succeed the last of the chain, then takes the lock's name. Ids are never used twice, and claims are
 * removed only after the lock was replaced, so a claim on a chain that still begins with the same lock is the only one.
 */
function succeed(own: string, path: string, chain: readonly LockReading[]): boolean {
  const [first] = chain;
  const last = chain.at(-1);
  if (!first || !last) return false;
  const claim = claimPath(path, last);
  if (!create(own, claim)) return false;
  const current = readLock(path)?.id === first.id;
  if (current) {
    renameSync(own, path);
    for (const link of chain.slice(0, -1)) rmSync(claimPath(path, link), { force: true });
  }
  unlinkSync(claim);
  return current;
}

function claimPath(path: string, { id }: LockContent): string {
  return `${path}.after-${id}`;
}

/** False if the name is taken. */
function create(own: string, path: string): boolean {
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    if (!NO_HARD_LINKS.includes(codeOf(error))) throw error;
  }
  try {
    copyFileSync(own, path, constants.COPYFILE_EXCL);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function writeOwn(path: string, content: LockContent): string {
  const own = `${path}.${randomUUID()}`;
  writeFileSync(own, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  return own;
}

function lockedError(path: string, { pid, place, origin }: LockReading): SortimentError {
  const where = place === processPlace() ? '' : ` on ${place.split(' ')[0]}`;
  const serving = origin ? `, which serves the origin at ${origin.url}` : '';
  return new SortimentError(
    'STORE_LOCKED',
    `The store in ${dirname(path)} is in use by process ${pid}${where}${serving}.`,
    {
      hint: 'Stop that process, or speak to the origin it serves; a store has one owner at a time.',
    },
  );
}
