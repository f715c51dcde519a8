import { basename, dirname } from 'node:path/posix';
import { and, eq, inArray, ne, or, sql } from 'drizzle-orm';
import pLimit from 'p-limit';
import { readMediaFile, type StoredImageSize } from '#origin/platform/content/read-media-file.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { keyedQueue } from '#origin/platform/files/disk-files.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { Database } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { LONGEST_SIDE, makeImageSizes, measureImage, resizeImage, type SizedType } from './image-sizes.ts';
import { openSource, withImage, type RefuseImage } from './image-work.ts';
import { describeSize, expectedSizes, mediaFiles, splitName, type ExpectedSize } from './media-files.ts';
import type { Measures } from '#contracts/core/image-sizes.ts';

const queue = keyedQueue();

/** So many originals are in memory at the same time. */
const inMemory = pLimit(2);

/** Runs what changes the files of a picture after everything else that does, in this process. */
export function alone<T>({ filesFolder }: OriginContext, id: number, run: () => Promise<T>): Promise<T> {
  return queue(`${filesFolder} ${id}`, run);
}

/** Works on an uploaded file, after others whose files are in memory. @returns nothing where there is none */
export function withOriginal<T>(
  context: Pick<OriginContext, 'files'>,
  path: string,
  work: (bytes: Buffer) => Promise<T>,
): Promise<T | undefined> {
  return inMemory(async () => {
    const bytes = await mediaFiles(context).read(path);
    return bytes && work(bytes);
  });
}

export interface RemadeSizes {
  /** Of the original, as it is seen. */
  full: Measures & { filesize: number };
  expected: ExpectedSize[];
  /** Those that were made now, as the store keeps them. */
  made: Map<string, StoredImageSize>;
  /** Paths of the files that were written now: of these sizes, and of what is shown in place of the original. */
  written: string[];
}

/**
 * Makes the sizes of a picture from its original, and what is shown in its place where that is lost. Files are
 * replaced as a whole; the row is for the caller to change afterwards. A name that the original of another media item
 * has is left to it.
 *
 * @param onlyMissing leaves sizes that the row has in the right measures, and whose files are there
 * @returns nothing where there is no original
 */
export function remakeSizes(
  { context, refuse }: { context: OriginContext; refuse: RefuseImage },
  row: ContentRow & { mimeType: SizedType },
  { onlyMissing }: { onlyMissing: boolean },
): Promise<RemadeSizes | undefined> {
  const { mimeType } = row;
  const files = mediaFiles(context);
  const { details, originalName } = readMediaFile(row, '');
  const folder = dirname(row.file);
  const name = splitName(originalName);
  return withOriginal(context, `${folder}/${originalName}`, async (original) => {
    const { full, expected } = await withImage({ refuse }, original, async () => {
      const measures = await measureImage(original, true);
      return { full: { ...measures, filesize: original.length }, expected: expectedSizes(measures, name) };
    });
    const lacking: ExpectedSize[] = [];
    for (const one of expected) {
      const path = `${folder}/${one.file}`;
      const kept = details.sizes[one.size.name];
      const isKept = kept && kept.width === one.width && kept.height === one.height && basename(kept.file) === one.file;
      if (!(onlyMissing && isKept && (await files.has(path)))) lacking.push(one);
    }
    const foreign = await findOriginals(
      context.store.db,
      lacking.map(({ file }) => `${folder}/${file}`),
      row.id,
    );
    const needed = lacking.filter(({ file }) => !foreign.has(`${folder}/${file}`));
    const isStandInLost = basename(row.file) !== originalName && !(await files.has(row.file));
    const made = new Map<string, StoredImageSize>();
    const written: string[] = [];
    if (needed.length === 0 && !isStandInLost) return { full, expected, made, written };

    const wanted = needed.map(({ size }) => size.name);
    const { width = full.width, height = full.height } = details;
    const { sizes, standIn } = await withImage({ refuse }, original, async () => {
      const source = await openSource(original, true, LONGEST_SIDE);
      return {
        sizes: await makeImageSizes(original, { mimeType, upright: true, wanted }, source),
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

/** Removes what was made of a picture that another process has deleted meanwhile: its files went before these came. */
export async function removeRemade(context: OriginContext, row: ContentRow, { written }: RemadeSizes): Promise<void> {
  const files = mediaFiles(context);
  const original = `${dirname(row.file)}/${readMediaFile(row, '').originalName}`;
  // Either who deletes it has yet to remove all its files, or another upload has its name now, and those of its sizes.
  if (await files.has(original)) return;
  const foreign = await findOriginals(context.store.db, written, row.id);
  for (const path of written) if (!foreign.has(path)) await files.remove(path);
}

/** Which of some paths are the original or the main file of another media item. */
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
