import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { isOlderThan, type FileStore } from '#origin/platform/files/file-store.ts';
import { describeError } from '#origin/platform/store/log-error.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import { mediaFiles } from '#origin/platform/media/media-files.ts';

/** Minimum age of entries to recover. Younger ones may belong to other running processes. */
const RECOVERY_AGE_MS = 15 * 60_000;

const recovered = new WeakMap<OriginContext, { since: number; done: Promise<void> }>();

const PENDING = '.pending';

/**
 * Files and rows can't be written in one transaction. The files of a media item are therefore recorded, under the name
 * of its original, before they are written or deleted. Recovery deletes recorded files that have no row.
 */
const entry = z.object({
  /** Path of the main file, as in its row. Undefined while the name is only reserved. */
  file: z.string().optional(),
  paths: z.array(z.string()).default([]),
});

export type JournalEntry = z.output<typeof entry>;

/** Reserves a name for an original. Returns false if another process has reserved it. */
export function claimName(files: FileStore, original: string): Promise<boolean> {
  return files.add(entryPath(original), encode({ paths: [] }));
}

/** Records the files of a media item that are about to be written or deleted. */
export function recordEntry(files: FileStore, original: string, listed: JournalEntry): Promise<void> {
  return files.put(entryPath(original), encode(listed));
}

/** Removes an entry once its files have their row or are deleted. */
export function removeEntry(files: FileStore, original: string): Promise<void> {
  return files.remove(entryPath(original));
}

/** Resolves an entry. Deletes its files if they have no row. */
export async function resolvePendingFiles(db: Database, files: FileStore, original: string): Promise<void> {
  await resolveEntry(db, files, entryPath(original));
}

/**
 * Resolves the entries of crashed processes.
 *
 * @param minAgeMs skips younger entries, which running processes may own. 0 if there are no other processes
 */
export async function recoverPendingFiles(db: Database, files: FileStore, minAgeMs: number): Promise<void> {
  for (const file of await files.list(PENDING))
    if (isOlderThan(file, minAgeMs)) await resolveEntry(db, files, file.path);
  await files.removeUnfinished(minAgeMs);
}

async function resolveEntry(db: Database, files: FileStore, path: string): Promise<void> {
  const found = decode(await files.read(path));
  if (found?.file !== undefined && !(await hasRow(db, found.file)))
    for (const listed of found.paths) await files.remove(listed);
  await files.remove(path);
}

async function hasRow(db: Database, file: string): Promise<boolean> {
  const matches = and(eq(content.type, 'attachment'), eq(content.file, file));
  const rows = await db.select({ id: content.id }).from(content).where(matches).limit(1);
  return rows.length > 0;
}

/** Hashes the name, since `.json` could exceed the maximum length of a file name. */
function entryPath(original: string): string {
  return `${PENDING}/${createHash('sha256').update(original).digest('hex')}.json`;
}

function encode(listed: JournalEntry): Uint8Array {
  return Buffer.from(JSON.stringify(listed));
}

function decode(bytes: Buffer | undefined): JournalEntry | undefined {
  if (!bytes) return undefined;
  const parsed = entry.safeParse(JSON.parse(bytes.toString('utf8')));
  return parsed.success ? parsed.data : undefined;
}

/**
 * Deletes files without a row that crashed processes left behind. Runs before the first write of a context, and again
 * after `RECOVERY_AGE_MS`. With the embedded store there are no other processes.
 */
export function recoverMedia(context: OriginContext): Promise<void> {
  const { db, engine } = context.store;
  const isSingleProcess = engine === 'pglite';
  const last = recovered.get(context);
  if (last && (isSingleProcess || Date.now() - last.since < RECOVERY_AGE_MS)) return last.done;
  const done = recoverPendingFiles(db, mediaFiles(context), isSingleProcess ? 0 : RECOVERY_AGE_MS).catch(
    (error: unknown) => {
      recovered.delete(context);
      context.log(`Recovering media files failed: ${describeError(error)}. It is retried with the next request.`);
    },
  );
  recovered.set(context, { since: Date.now(), done });
  return done;
}
