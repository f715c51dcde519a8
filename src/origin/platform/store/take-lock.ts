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
import { SortimentError } from '#contracts/index.ts';

/** Where a running origin is found, for other commands of the same project. */
const lockedOrigin = z.object({
  url: z.string(),
  publicUrl: z.string(),
  restRoot: z.string(),
  /** Base64 of the sync token, sealed under the origin's key. */
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

/** How often a holder touches its lock, for those who can't see its process. */
const TOUCH_MS = 10_000;

const MAX_IDLE_MS = 60_000;

const BEING_WRITTEN_MS = 5000;

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

export type LockedOrigin = z.infer<typeof lockedOrigin>;

type LockContent = z.infer<typeof lockContent>;

export interface LockReading extends LockContent {
  /** False when its process is gone, or lives elsewhere and hasn't touched the lock for a minute. */
  held: boolean;
}

/** Who holds a lock; `undefined` if nobody has it. */
export function readLock(path: string): LockReading | undefined {
  try {
    const idleMs = Date.now() - statSync(path).mtimeMs;
    return parseLock(readFileSync(path, 'utf8'), idleMs);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function parseLock(text: string, idleMs: number): LockReading {
  const parsed = lockContent.safeParse(parseJson(text));
  if (!parsed.success) {
    // Left by a power cut, or being written at this moment on a file system without hard links.
    const id = `unreadable-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    return { id, pid: 0, startedAt: '', place: '', held: idleMs < BEING_WRITTEN_MS };
  }
  const { pid, startedAt, place } = parsed.data;
  const held = place === processPlace() ? processBirth(pid) === startedAt : idleMs < MAX_IDLE_MS;
  return { ...parsed.data, held };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The lock of a data folder; see `readLock`. */
export function lockPath(dataFolder: string): string {
  return join(dataFolder, 'lock');
}

/**
 * Tells a process from a later one with the same number: when it was started, in whatever form the system says it.
 * `undefined` if there is no such process.
 */
function processBirth(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxBirth(pid);
  if (!isAlive(pid)) return undefined;
  if (process.platform === 'win32') return 'alive';
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
}

/** Boot, and clock ticks since then: field 22 of the line, counted after the name, which may hold anything. */
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
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Where process numbers mean the same: this machine, or this container of it. */
export function processPlace(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}
