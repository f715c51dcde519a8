import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { processBirth } from './process-birth.ts';
import { processPlace } from './process-place.ts';

/** Where a running origin is found, for other commands of the same project. */
const lockedOrigin = z.object({
  url: z.string(),
  publicUrl: z.string(),
  restRoot: z.string(),
  /** Base64 of the sync token, sealed under the origin's key. */
  sealedToken: z.string(),
});

export type LockedOrigin = z.infer<typeof lockedOrigin>;

const lockContent = z.object({
  id: z.string(),
  pid: z.int(),
  /** See `processBirth`. */
  startedAt: z.string(),
  place: z.string(),
  origin: lockedOrigin.optional(),
});

export type LockContent = z.infer<typeof lockContent>;

/** How often a holder touches its lock, for those who can't see its process. */
export const TOUCH_MS = 10_000;
const UNTOUCHED_MS = 60_000;
const BEING_WRITTEN_MS = 5000;

export interface LockReading extends LockContent {
  /** False when its process is gone, or lives elsewhere and hasn't touched the lock for a minute. */
  held: boolean;
}

/** Who holds a lock; `undefined` if nobody has it. */
export function readLock(path: string): LockReading | undefined {
  try {
    const untouchedMs = Date.now() - statSync(path).mtimeMs;
    return judge(readFileSync(path, 'utf8'), untouchedMs);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function judge(text: string, untouchedMs: number): LockReading {
  const parsed = lockContent.safeParse(parseJson(text));
  if (!parsed.success) {
    // Left by a power cut, or being written at this moment on a file system without hard links.
    const id = `unreadable-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    return { id, pid: 0, startedAt: '', place: '', held: untouchedMs < BEING_WRITTEN_MS };
  }
  const { pid, startedAt, place } = parsed.data;
  const held = place === processPlace() ? processBirth(pid) === startedAt : untouchedMs < UNTOUCHED_MS;
  return { ...parsed.data, held };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
