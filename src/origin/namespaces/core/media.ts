import { and, like, ne, or, sql, type SQL } from 'drizzle-orm';
import * as routes from '#contracts/core/routes.ts';
import { wireBoolean } from '#contracts/index.ts';
import { getItem, listContent } from '#origin/platform/content/read-content.ts';
import {
  authorizeItem,
  checkStatus,
  writingChecks,
  authorizeDeletion,
  authorizeList,
  canEdit,
  createCannotEditError,
  rejectForeignAuthor,
  contentRows,
} from '#origin/platform/content/content-rights.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { isUploadType } from '#origin/platform/files/file-store.ts';
import { item, type AnyCall, type Call, type ResultOf } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { CONTENT_KINDS, SITE_ICON } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import { matchesParents } from './content.ts';
import { deleteMedia, recoverMedia } from './media/store-media-files.ts';
import { checkModifiers, editMedia } from './media/edit-media.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import {
  announceMedia,
  updateMediaDetails,
  runExclusively,
  regenerateSizes,
  removeRegenerated,
} from '#origin/platform/media/regenerate-sizes.ts';
import { isResizable } from '#origin/platform/media/image-work.ts';
import { loadWritingScope } from '#origin/platform/content/writing/plan-content.ts';
import { writeContent, loadRow, lockRow } from '#origin/platform/content/resources/resource.ts';
import { presentWritten, updateRow } from '#origin/platform/content/writing/write-content.ts';
import { planMedia } from './media/plan-media.ts';
import { authorizeUpload, createMedia } from './media/upload-media.ts';

const kind = CONTENT_KINDS.attachment;

export function serveMedia(registry: RouteRegistry): void {
  registry.serve(
    routes.listMedia,
    async (call) => {
      await recoverMedia(call.context);
      return listContent(call, kind, presentMedia, {
        where: and(matchesParents(call.query), matchesFile(call)),
        isMixed: call.query.parent.some((id) => id !== 0),
      });
    },
    { permit: (call) => authorizeList(call, kind), checks: { status: checkStatus(kind) } },
  );

  registry.serve(routes.createMedia, afterRecovery(createMedia), {
    permit: authorizeUpload,
    checks: writingChecks(kind),
  });

  registry.serve(routes.getMedia, (call) => getItem(call, kind, presentMedia), {
    permit: (call) => authorizeItem(call, kind),
  });
  registry.serve(routes.updateMedia, updateMedia, {
    permit: async (call) => {
      await authorizeMediaWrite(call);
      rejectForeignAuthor(call, kind);
    },
    checks: writingChecks(kind),
  });
  registry.serve(routes.deleteMedia, afterRecovery(deleteMedia), { permit: (call) => authorizeDeletion(call, kind) });

  registry.serve(routes.postProcessMedia, afterRecovery(postProcessMedia), { permit: authorizeMediaWrite });
  registry.serve(routes.editMedia, afterRecovery(editMedia), {
    permit: async (call) => {
      if (!can(call.caller, 'upload_files'))
        throw call.refuse('rest_cannot_edit_image', 'You are not allowed to edit images.');
      await authorizeMediaWrite(call);
    },
    checks: { modifiers: checkModifiers },
  });
}

type MediaItemCall = AnyCall<'rest_post_invalid_id' | 'rest_cannot_edit'> & { params: { id: number } };

async function authorizeMediaWrite(call: MediaItemCall): Promise<void> {
  const row = await loadRow(call, contentRows(kind), call.params.id);
  if (!canEdit(row, call.caller)) throw createCannotEditError(call);
}

/**
 * Condition of the type parameters. MIME types that cannot be uploaded are ignored. Undeclared parameters:
 * `is_regeneratable` selects files with sizes, `exclude_site_icons` omits site icons.
 */
function matchesFile({ query, others }: Call<typeof routes.listMedia>): SQL | undefined {
  const isSent = (name: string) => wireBoolean.safeParse(others[name]).data === true;
  const isRegeneratable = isSent('is_regeneratable');
  const { media_type: mainTypes = [], mime_type: types = [] } = query;
  const wanted = isRegeneratable
    ? ['image/', 'application/pdf']
    : [...mainTypes.map((type) => `${type}/`), ...types.filter(isUploadType)];
  return and(
    or(...wanted.map((type) => like(content.mimeType, type.endsWith('/') ? `${type}%` : type))),
    isRegeneratable ? ne(content.mimeType, 'image/svg+xml') : undefined,
    isSent('exclude_site_icons')
      ? sql`coalesce(${content.meta} ->> ${SITE_ICON.key}, '') <> ${SITE_ICON.value}`
      : undefined,
  );
}

/** Runs a handler after files of crashed processes are removed. */
function afterRecovery<C extends Pick<AnyCall, 'context'>, A>(
  handle: (call: C) => Promise<A>,
): (call: C) => Promise<A> {
  return async (call) => {
    await recoverMedia(call.context);
    return handle(call);
  };
}

/** Updates the given fields of a media item. Its files never change. */
async function updateMedia(call: Call<typeof routes.updateMedia>): Promise<ResultOf<typeof routes.updateMedia>> {
  const { context, caller, params, body } = call;
  const scope = await loadWritingScope(call, kind);
  const row = await writeContent(context.store.db, async (tx, now) => {
    const before = await lockRow(tx, call, contentRows(kind), params.id);
    // The author may have changed since the authorization.
    if (!canEdit(before, caller)) throw createCannotEditError(call);
    const after = await updateRow(tx, before, await planMedia(tx, body, before, { ...scope, now }));
    await announceMedia(tx, before, after);
    return after;
  });
  return item(await presentWritten(call, kind, row, presentMedia));
}

/** Generates the missing sizes of an image. Other files have no sizes. */
async function postProcessMedia(
  call: Call<typeof routes.postProcessMedia>,
): Promise<ResultOf<typeof routes.postProcessMedia>> {
  const { context, params } = call;
  const row = await runExclusively(context, params.id, async () => {
    const before = await loadRow(call, contentRows(kind), params.id);
    const { mimeType } = before;
    if (!isResizable(mimeType)) return before;
    const remade = await regenerateSizes(call, { ...before, mimeType }, { onlyMissing: true });
    if (!remade || remade.written.length === 0) return before;
    const after = await updateMediaDetails(context, before.id, (details) => ({
      ...details,
      sizes: { ...(details['sizes'] as object | undefined), ...Object.fromEntries(remade.made) },
    }));
    if (!after) {
      await removeRegenerated(context, before, remade);
      throw call.refuse('rest_post_invalid_id', 'No item with this ID.');
    }
    return after;
  });
  return item(await presentWritten(call, kind, row, presentMedia));
}
