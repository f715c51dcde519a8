import { randomUUID, createHash } from 'node:crypto';
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
  readFileSync,
  statSync,
  readlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { hostname } from 'node:os';
import { z } from 'zod';
import { codeOf, SortimentError } from '#contracts/sortiment-error.ts';
import { tryParse } from '#contracts/scan-text.ts';

/** Address of a running origin, for other commands of the same project. */
const lockedOrigin = z.object({
  url: z.string(),
  publicUrl: z.string(),
  restRoot: z.string(),
  /** Sync token, encrypted with the origin's key, in base64. */
  sealedToken: z.string(),
});

const lockContent = z.object({
  id: z.string(),
  pid: z.int(),
  /** See `processBirth`. */
  startedAt: z.string(),
  place: z.string(),
  origin: lockedOrigin.optional(),
});

/** Interval between touches of the lock, for processes that can't see its holder. */
const TOUCH_MS = 10_000;

const MAX_IDLE_MS = 60_000;

const MAX_WRITE_MS = 5000;

const NO_HARD_LINKS: readonly (string | undefined)[] = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

export type StoreLock = ReturnType<typeof acquireLock>;

/**
 * Acquires the lock of a store for this process.
 *
 * The file is created atomically by `link`. Only the process that wins the claim on a dead holder replaces it.
 *
 * @param onLost called when the lock was deleted, or taken over by another host because this process was suspended
 * for a minute
 * @throws {SortimentError} STORE_LOCKED if a living process holds it, including this one
 */
export function acquireLock(path: string, onLost: () => void) {
  mkdirSync(dirname(path), { recursive: true });
  const content: LockContent = {
    id: randomUUID(),
    pid: process.pid,
    startedAt: processBirth(process.pid) ?? '',
    place: getPidNamespace(),
  };
  const temporaryPath = writeTemporary(path, content);
  try {
    while (!create(temporaryPath, path)) {
      const chain = readChain(path);
      const last = chain.at(-1);
      if (last?.held) throw lockedError(path, last);
      if (last && takeOver(temporaryPath, path, chain)) break;
    }
  } finally {
    rmSync(temporaryPath, { force: true });
  }
  return maintainLock(path, content, onLost);
}

function maintainLock(path: string, content: LockContent, onLost: () => void) {
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
    /** Adds the address of the origin to the lock. */
    announce: (origin: LockedOrigin) => {
      if (isOurs()) renameSync(writeTemporary(path, { ...content, origin }), path);
    },
  };
}

/**
 * Returns the lock, then the claim on its dead holder, and so on. A claim is a lock too, as the claimant may die
 * before it replaces the lock.
 */
function readChain(path: string): LockState[] {
  const chain: LockState[] = [];
  for (let link = readLock(path); link; link = readLock(claimPath(path, link))) chain.push(link);
  return chain;
}

/**
 * Claims the end of the chain, then replaces the lock.
 *
 * IDs are unique, and claims are removed only after the lock was replaced. So a claim on a chain that still begins
 * with the same lock is the only one.
 */
function takeOver(temporaryPath: string, path: string, chain: readonly LockState[]): boolean {
  const [first] = chain;
  const last = chain.at(-1);
  if (!first || !last) return false;
  const claim = claimPath(path, last);
  if (!create(temporaryPath, claim)) return false;
  const isCurrent = readLock(path)?.id === first.id;
  if (isCurrent) {
    renameSync(temporaryPath, path);
    for (const link of chain.slice(0, -1)) rmSync(claimPath(path, link), { force: true });
  }
  unlinkSync(claim);
  return isCurrent;
}

function claimPath(path: string, { id }: LockContent): string {
  return `${path}.after-${id}`;
}

/** Creates a file by hard link. Returns false if the path exists. */
function create(temporaryPath: string, path: string): boolean {
  try {
    try {
      linkSync(temporaryPath, path);
    } catch (error) {
      if (!NO_HARD_LINKS.includes(codeOf(error))) throw error;
      copyFileSync(temporaryPath, path, constants.COPYFILE_EXCL);
    }
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function writeTemporary(path: string, content: LockContent): string {
  const temporaryPath = `${path}.${randomUUID()}`;
  writeFileSync(temporaryPath, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600 });
  return temporaryPath;
}

function lockedError(path: string, { pid, place, origin }: LockState): SortimentError {
  const location = place === getPidNamespace() ? '' : ` on ${place.split(' ')[0]}`;
  const details = origin ? `, which serves the origin at ${origin.url}` : '';
  return new SortimentError(
    'STORE_LOCKED',
    `The store in ${dirname(path)} is in use by process ${pid}${location}${details}.`,
    { hint: 'Stop that process, or use the origin it serves. Only one process can open a store.' },
  );
}

export type LockedOrigin = z.infer<typeof lockedOrigin>;

type LockContent = z.infer<typeof lockContent>;

export interface LockState extends LockContent {
  /** False if the process has exited, or runs elsewhere and hasn't touched the lock for a minute. */
  held: boolean;
}

/** Reads the lock of a store. Undefined if there is none. */
export function readLock(path: string): LockState | undefined {
  try {
    const idleMs = Date.now() - statSync(path).mtimeMs;
    return parseLock(readFileSync(path, 'utf8'), idleMs);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function parseLock(text: string, idleMs: number): LockState {
  const parsed = lockContent.safeParse(tryParse(text));
  if (!parsed.success) {
    // Truncated by a power cut, or currently being written on a file system without hard links.
    const id = `unreadable-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    return { id, pid: 0, startedAt: '', place: '', held: idleMs < MAX_WRITE_MS };
  }
  const { pid, startedAt, place } = parsed.data;
  const held = place === getPidNamespace() ? processBirth(pid) === startedAt : idleMs < MAX_IDLE_MS;
  return { ...parsed.data, held };
}

export function lockPath(dataFolder: string): string {
  return join(dataFolder, 'lock');
}

/**
 * Returns the start time of a process in a system-specific format, which distinguishes it from a later process with
 * the same ID. Undefined if there is no such process.
 */
function processBirth(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxBirth(pid);
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'win32') return 'alive';
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
}

/** Boot ID and start time in clock ticks: field 22, counted after the name, which may contain any character. */
function linuxBirth(pid: number): string | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    if (fields[0] === 'Z') return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

/** Identifies the PID namespace: this host, or its container. */
export function getPidNamespace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
