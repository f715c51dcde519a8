import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { isOlderThan, type FileStore } from '#origin/platform/files/index.ts';
import { describeError } from '#origin/platform/store/describe-error.ts';
import type { Database } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { mediaFiles } from '#origin/platform/media/media-files.ts';

/** Younger entries may belong to other running processes. */
const OTHERS_MS = 15 * 60_000;

const recovered = new WeakMap<OriginContext, { since: number; done: Promise<void> }>();

const PENDING = '.pending';

/**
 * Files and rows can't be written in one transaction. So the files of a media item are listed, under the name of its
 * original, before they are written or deleted. Whoever finds such an entry later checks for the row, and
 * removes the files if there is none.
 */
const entry = z.object({
  /** The main file, as its row names it; without, the name is claimed and nothing written yet. */
  file: z.string().optional(),
  paths: z.array(z.string()).default([]),
});

export type JournalEntry = z.output<typeof entry>;

/** Claims a name for an original, unless another process has. */
export function claimName(files: FileStore, original: string): Promise<boolean> {
  return files.add(entryPath(original), encode({ paths: [] }));
}

/** Records the files of a media item that are about to be written or deleted. */
export function listFiles(files: FileStore, original: string, listed: JournalEntry): Promise<void> {
  return files.put(entryPath(original), encode(listed));
}

/** Removes an entry once its files have their row or are deleted. */
export function removeEntry(files: FileStore, original: string): Promise<void> {
  return files.remove(entryPath(original));
}

/** Resolves an entry: without a row, its files are deleted. */
export async function resolveFiles(db: Database, files: FileStore, original: string): Promise<void> {
  await resolveEntry(db, files, entryPath(original));
}

/**
 * Resolves entries of processes that died.
 *
 * @param minAgeMs entries of others that may still live are younger than this; 0 if there are no others
 */
export async function recoverFiles(db: Database, files: FileStore, minAgeMs: number): Promise<void> {
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
  const isIt = and(eq(content.type, 'attachment'), eq(content.file, file));
  const rows = await db.select({ id: content.id }).from(content).where(isIt).limit(1);
  return rows.length > 0;
}

/** A hash, as names of files may be as long as names of entries. */
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
 * Removes files that processes left without a row when they died; before a context first writes files, and again
 * once those of others that died since are old enough. Over the embedded store nobody else is at work.
 */
export function recoverMedia(context: OriginContext): Promise<void> {
  const { db, engine } = context.store;
  const isAlone = engine === 'pglite';
  const known = recovered.get(context);
  if (known && (isAlone || Date.now() - known.since < OTHERS_MS)) return known.done;
  const done = recoverFiles(db, mediaFiles(context), isAlone ? 0 : OTHERS_MS).catch((error: unknown) => {
    recovered.delete(context);
    context.log(`Files without a row were not looked for: ${describeError(error)}`);
  });
  recovered.set(context, { since: Date.now(), done });
  return done;
}
