import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import type { deleteMedia as declaration } from '#contracts/core/routes.ts';
import { loadRow } from '#origin/platform/content/get-item.ts';
import { canDelete } from '#origin/platform/content/content-rights.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { createCannotDeleteError } from '#origin/platform/content/writing/plan-content.ts';
import { presentWritten } from '#origin/platform/content/writing/create-content.ts';
import { loadForUpdate } from '#origin/platform/content/writing/update-content.ts';
import { presentPrevious } from '#origin/platform/http/present-fields.ts';
import { item, type ResultOf, type Call } from '#origin/platform/http/transport/call.ts';
import {
  CONTENT_KINDS,
  type ContentRow,
  notifyListeners,
  type ListenerContext,
} from '#origin/platform/registry/content-kind.ts';
import { describeError } from '#origin/platform/store/log-error.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { comment, content } from '#origin/platform/store/schema.ts';
import { recordEntry, resolvePendingFiles } from './store-media-files.ts';
import { listMediaFiles, mediaFiles } from '#origin/platform/media/media-files.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import { runExclusively, announceMedia } from '#origin/platform/media/regenerate-sizes.ts';

const kind = CONTENT_KINDS.attachment;

/** Deletes a media item, then its files. Posts that feature it lose their featured image. Media have no trash. */
export async function deleteMedia(call: Call<typeof declaration>): Promise<ResultOf<typeof declaration>> {
  if (!call.query.force)
    throw call.refuse('rest_trash_not_supported', 'Media do not support trashing. Set force=true to delete.');
  const { context, caller, params } = call;
  const { db } = context.store;
  // A concurrent generation of sizes would leave files behind.
  return runExclusively(context, params.id, async () => {
    for (;;) {
      const row = await loadRow(call, kind, params.id);
      const previous = presentPrevious(await presentWritten(call, kind, row, presentMedia), row.id, call);
      const files = mediaFiles(context);
      const { original, paths } = listMediaFiles(row);
      // Recorded before the commit, so that a restart removes the files if the process dies after it.
      await recordEntry(files, original, { file: row.file, paths });
      try {
        const isDeleted = await writeContent(db, async (tx) => {
          const before = await loadForUpdate(tx, call, kind, params.id);
          if (!canDelete(before, caller)) throw createCannotDeleteError(call);
          // The response shows the deleted row, so a concurrent change restarts the loop.
          if (!isDeepStrictEqual(before, row)) return false;
          await removeRow(tx, before, context);
          return true;
        });
        if (isDeleted) return item({ deleted: true, previous });
      } finally {
        await resolvePendingFiles(db, files, original).catch((error: unknown) => {
          context.log(`Deleting the files of ${row.file} failed: ${describeError(error)}. It is retried later.`);
        });
      }
    }
  });
}

async function removeRow(tx: Transaction, row: ContentRow, site: ListenerContext): Promise<void> {
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
  await notifyListeners(tx, site, { content: [row.id, ...featuring.map(({ id }) => id)] });
}
