import { basename, dirname } from 'node:path/posix';
import { and, eq, inArray, ne, or, sql } from 'drizzle-orm';
import pLimit from 'p-limit';
import { readMediaFile, type StoredImageSize } from '#origin/platform/content/read-media-file.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { keyedQueue } from '#origin/platform/files/disk-files.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import {
  makeImageSizes,
  measureImage,
  resizeImage,
  type ResizableType,
  openSource,
  withImage,
  type CreateImageError,
} from './image-work.ts';
import { describeSize, expectedSizes, splitName, type ExpectedSize } from './media-files.ts';
import { cutFileTexts } from '#files/media/file-text.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import { announce, type OriginEvent } from '#origin/platform/events/announce.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';

const queue = keyedQueue();

/** Limits the number of originals in memory. */
const memoryQueue = pLimit(2);

/** Runs changes of a media item's files one at a time, within this process. */
export function runExclusively<T>({ filesFolder }: OriginContext, id: number, run: () => Promise<T>): Promise<T> {
  return queue(`${filesFolder} ${id}`, run);
}

/**
 * Loads an uploaded file and runs work on it, with a limited number of files in memory. @returns undefined if the
 * file doesn't exist
 */
export function withOriginal<T>(
  context: Pick<OriginContext, 'files'>,
  path: string,
  work: (bytes: Buffer) => Promise<T>,
): Promise<T | undefined> {
  return memoryQueue(async () => {
    const bytes = await context.files.uploads.read(path);
    return bytes && work(bytes);
  });
}

export type RegeneratedSizes = NonNullable<Awaited<ReturnType<typeof regenerateSizes>>>;

/**
 * Creates the sizes of an image from its original, and a lost scaled replacement.
 *
 * Files are replaced atomically; the caller updates the row afterwards. File names used by the original of another
 * media item are skipped.
 *
 * @param onlyMissing skips recorded sizes with the right measures whose files exist
 * @returns measures of the original after rotation, created sizes as stored, and paths of all written files; undefined
 * if the original doesn't exist
 */
export function regenerateSizes(
  { context, refuse }: { context: OriginContext; refuse: CreateImageError },
  row: ContentRow & { mimeType: ResizableType },
  { onlyMissing }: { onlyMissing: boolean },
) {
  const { mimeType } = row;
  const files = context.files.uploads;
  const { details, originalName } = readMediaFile(row, '');
  const folder = dirname(row.file);
  const name = splitName(originalName);
  return withOriginal(context, `${folder}/${originalName}`, async (original) => {
    const { full, expected } = await withImage({ refuse }, original, async () => {
      const measures = await measureImage(original);
      return { full: { ...measures, filesize: original.length }, expected: expectedSizes(measures, name) };
    });
    const missing: ExpectedSize[] = [];
    for (const one of expected) {
      const { width, height, file = '' } = details.sizes[one.size.name] ?? {};
      const isRecorded = width === one.width && height === one.height && basename(file) === one.file;
      if (!(onlyMissing && isRecorded && (await files.has(`${folder}/${one.file}`)))) missing.push(one);
    }
    const foreign = await findOriginals(
      context.store.db,
      missing.map(({ file }) => `${folder}/${file}`),
      row.id,
    );
    const needed = missing.filter(({ file }) => !foreign.has(`${folder}/${file}`));
    const isStandInLost = basename(row.file) !== originalName && !(await files.has(row.file));
    const made = new Map<string, StoredImageSize>();
    const written: string[] = [];
    if (needed.length === 0 && !isStandInLost) return { full, expected, made, written };

    const { width = full.width, height = full.height } = details;
    const { sizes, standIn } = await withImage({ refuse }, original, async () => {
      const source = await openSource(original);
      return {
        sizes: await makeImageSizes(
          source,
          full,
          mimeType,
          needed.map(({ size }) => size),
        ),
        standIn: isStandInLost ? await resizeImage(source, { width, height, crop: false, mimeType }) : undefined,
      };
    });
    const write = async (path: string, bytes: Uint8Array) => {
      await files.put(path, bytes);
      written.push(path);
    };
    if (standIn) await write(row.file, standIn.bytes);
    for (const [key, size] of Object.entries(sizes)) {
      const described = describeSize(name, size, mimeType);
      await write(`${folder}/${described.file}`, size.bytes);
      made.set(key, described);
    }
    return { full, expected, made, written };
  });
}

/** Removes new files of a media item that another process has deleted at the same time. */
export async function removeRegenerated(
  context: OriginContext,
  row: ContentRow,
  { written }: RegeneratedSizes,
): Promise<void> {
  const files = context.files.uploads;
  const original = `${dirname(row.file)}/${readMediaFile(row, '').originalName}`;
  // If the original exists, its deletion is still in progress, or another upload now uses its name.
  if (await files.has(original)) return;
  const foreign = await findOriginals(context.store.db, written, row.id);
  for (const path of written) if (!foreign.has(path)) await files.remove(path);
}

/** Returns the paths that are the original or main file of another media item. */
export async function findOriginals(db: Database, paths: readonly string[], id: number): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const originalImage = sql`${content.mediaDetails} ->> 'original_image'`;
  const rows = await db
    .select()
    .from(content)
    .where(
      and(
        eq(content.type, 'attachment'),
        ne(content.id, id),
        or(
          inArray(content.file, [...paths]),
          inArray(
            originalImage,
            paths.map((path) => basename(path)),
          ),
        ),
      ),
    );
  const owned = rows.flatMap((row) => [row.file, `${dirname(row.file)}/${readMediaFile(row, '').originalName}`]);
  return new Set(paths).intersection(new Set(owned));
}

/**
 * Updates the stored details of a media file and announces the change. @returns the row, or undefined if it no longer
 * exists
 */
export async function updateMediaDetails(
  context: OriginContext,
  id: number,
  change: (details: ContentRow['mediaDetails']) => ContentRow['mediaDetails'],
): Promise<ContentRow | undefined> {
  return writeContent(context.store.db, async (tx) => {
    const isAttachment = and(eq(content.id, id), eq(content.type, 'attachment'));
    const [before] = await tx.select().from(content).where(isAttachment).for('update');
    if (!before) return undefined;
    const mediaDetails = change(cutFileTexts(before.mediaDetails));
    await tx.update(content).set({ mediaDetails }).where(eq(content.id, id));
    const after = { ...before, mediaDetails };
    await announceMedia(tx, before, after);
    return after;
  });
}

type VisibleRow = Pick<ContentRow, 'id' | 'status'>;

/** Announces a write of media that readers can notice. Private media are not announced. */
export async function announceMedia(
  tx: Transaction,
  before: VisibleRow | undefined,
  after: VisibleRow | undefined,
  furtherEvents: readonly OriginEvent[] = [],
): Promise<void> {
  const row = after ?? before;
  const wasVisible = before?.status === 'inherit';
  const isVisible = after?.status === 'inherit';
  const action = !wasVisible ? 'created' : isVisible ? 'updated' : 'deleted';
  const mediaEvents = row && (wasVisible || isVisible) ? [{ what: 'media', id: String(row.id), action } as const] : [];
  await announce(tx, [...mediaEvents, ...furtherEvents]);
}
