import { type FileStore, isOlderThan } from '#origin/platform/files/file-store.ts';
import { type FileName, describeSize, sizeName, listMediaFiles } from '#origin/platform/media/media-files.ts';
import type { ImageFile } from '#origin/platform/media/image-work.ts';
import type { PreparedMedia } from './prepare-media.ts';
import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { describeError } from '#origin/platform/store/log-error.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content, comment } from '#origin/platform/store/schema.ts';
import { isDeepStrictEqual } from 'node:util';
import type { deleteMedia as declaration } from '#contracts/core/routes.ts';
import { createCannotDeleteError, canDelete, contentRows } from '#origin/platform/content/content-rights.ts';
import { writeContent, loadRow, lockRow } from '#origin/platform/content/resources/resource.ts';
import { presentWritten } from '#origin/platform/content/writing/write-content.ts';
import { presentPrevious, item, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import { CONTENT_KINDS, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import { runExclusively, announceMedia } from '#origin/platform/media/regenerate-sizes.ts';

/**
 * `original` is the path of the original, and the key of the journal entry; `base` its name without extension. `file` is
 * the path of the main file, as stored in the row.
 */
export type StoredMedia = Awaited<ReturnType<typeof storeMediaFiles>>;

/** Suffixes reserved for generated files. */
const GENERATED = /-(\d+x\d+|scaled|rotated)$/;

/**
 * Writes the files of a media item under a free name. They stay recorded in the journal: remove the entry once the row
 * is committed, or resolve it if the commit fails. On errors, all written files are removed.
 *
 * @param folder path relative to the uploads folder, such as `2026/11`
 */
export async function storeMediaFiles(
  files: FileStore,
  prepared: PreparedMedia,
  { folder, name }: { folder: string; name: FileName },
) {
  const base = await reserveBase(files, folder, name);
  const { extension } = name;
  const originalName = { base, extension };
  const original = `${folder}/${base}.${extension}`;
  const { standIn, sizes, measured } = prepared;
  const file = standIn ? `${folder}/${base}${standIn.suffix}.${extension}` : original;
  const generated = [
    ...Object.values(sizes).map((size) => [`${folder}/${sizeName(originalName, size)}`, size.bytes] as const),
    ...(standIn ? [[file, standIn.bytes] as const] : []),
  ];
  const started: string[] = [];
  try {
    await recordEntry(files, original, { file, paths: [original, ...generated.map(([path]) => path)] });
    started.push(original);
    if (!(await files.add(original, prepared.original))) {
      // Another process wrote this file, so it must not be removed below.
      started.pop();
      throw new Error(`${original} was created by another process.`);
    }
    for (const [path, bytes] of generated) {
      started.push(path);
      await files.put(path, bytes);
    }
  } catch (error) {
    // Files that cannot be removed now stay in the journal and are removed later.
    await removeFiles(files, original, started).catch(() => undefined);
    throw error;
  }
  const describe = (size: ImageFile) => describeSize(originalName, size, prepared.mimeType);
  return {
    original,
    file,
    base,
    mediaDetails: {
      ...measured,
      sizes: Object.fromEntries(Object.entries(sizes).map(([key, size]) => [key, describe(size)])),
      ...(standIn ? { original_image: `${base}.${extension}` } : {}),
    },
  };
}

/** Removes complete and partial files, then their journal entry. */
async function removeFiles(files: FileStore, original: string, paths: readonly string[]): Promise<void> {
  for (const path of paths) await files.remove(path);
  await removeEntry(files, original);
}

/** Reserves the first free name, trying suffixes `-1`, `-2`, …. */
async function reserveBase(files: FileStore, folder: string, { base, extension }: FileName): Promise<string> {
  for (let number = GENERATED.test(base) ? 1 : 0; ; number += 1) {
    const candidate = number === 0 ? base : `${base}-${number}`;
    const path = `${folder}/${candidate}.${extension}`;
    if ((await files.has(path)) || !(await files.add(entryPath(path), encode({ paths: [] })))) continue;
    // Another process may have completed an upload of this name between the check and the reservation.
    if (!(await files.has(path))) return candidate;
    await removeEntry(files, path);
  }
}

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

type JournalEntry = z.output<typeof entry>;

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
  const bytes = await files.read(path);
  const { data } = entry.safeParse(bytes && JSON.parse(bytes.toString('utf8')));
  if (data?.file !== undefined) {
    const rows = await db.$count(content, and(eq(content.type, 'attachment'), eq(content.file, data.file)));
    if (rows === 0) for (const listed of data.paths) await files.remove(listed);
  }
  await files.remove(path);
}

/** Hashes the name, since `.json` could exceed the maximum length of a file name. */
function entryPath(original: string): string {
  return `${PENDING}/${createHash('sha256').update(original).digest('hex')}.json`;
}

function encode(listed: JournalEntry): Uint8Array {
  return Buffer.from(JSON.stringify(listed));
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
  const done = recoverPendingFiles(db, context.files.uploads, isSingleProcess ? 0 : RECOVERY_AGE_MS).catch(
    (error: unknown) => {
      recovered.delete(context);
      context.log(`Recovering media files failed: ${describeError(error)}. It is retried with the next request.`);
    },
  );
  recovered.set(context, { since: Date.now(), done });
  return done;
}

const kind = CONTENT_KINDS.attachment;

/** Deletes a media item, then its files. Posts that feature it lose their featured image. Media have no trash. */
export async function deleteMedia(call: Call<typeof declaration>): Promise<ResultOf<typeof declaration>> {
  if (!call.query.force)
    throw call.refuse('rest_trash_not_supported', 'Media do not support trashing. Set force=true to delete.');
  const { context, caller, params } = call;
  const { db } = context.store;
  // A concurrent generation of sizes would leave files behind.
  return runExclusively(context, params.id, async () => {
    for (let current = await loadRow(call, contentRows(kind), params.id); ;) {
      const row = current;
      const previous = presentPrevious(await presentWritten(call, kind, row, presentMedia), row.id, call);
      const files = context.files.uploads;
      const { original, paths } = listMediaFiles(row);
      // Recorded before the commit, so that a restart removes the files if the process dies after it.
      await recordEntry(files, original, { file: row.file, paths });
      try {
        current = await writeContent(db, async (tx) => {
          const before = await lockRow(tx, call, contentRows(kind), params.id);
          if (!canDelete(before, caller)) throw createCannotDeleteError(call);
          // The response shows the deleted row, so a concurrent change restarts the loop.
          if (!isDeepStrictEqual(before, row)) return before;
          await removeRow(tx, before);
          return row;
        });
        if (current === row) return item({ deleted: true, previous });
      } finally {
        await resolvePendingFiles(db, files, original).catch((error: unknown) => {
          context.log(`Deleting the files of ${row.file} failed: ${describeError(error)}. It is retried later.`);
        });
      }
    }
  });
}

async function removeRow(tx: Transaction, row: ContentRow): Promise<void> {
  const featuring = await tx
    .update(content)
    .set({ featuredMedia: 0 })
    .where(eq(content.featuredMedia, row.id))
    .returning({ id: content.id, type: content.type, status: content.status });
  await tx.delete(comment).where(eq(comment.contentId, row.id));
  await tx.delete(content).where(eq(content.id, row.id));
  const changed = featuring
    .filter(({ status }) => status === 'publish')
    .map(({ id, type }) => ({ what: type, id: String(id), action: 'updated' }) as const);
  await announceMedia(tx, row, undefined, changed);
}
