import {
  createMedia as createMediaRoute,
  deleteMedia as deleteMediaRoute,
  editMedia as editMediaRoute,
  getMedia,
  listMedia,
  postProcessMedia as postProcessMediaRoute,
  updateMedia as updateMediaRoute,
} from '#contracts/core/routes.ts';
import { wireBoolean } from '#contracts/index.ts';
import { getItem, authorizeItem } from '#origin/platform/content/get-item.ts';
import { listContent } from '#origin/platform/content/list-content.ts';
import { type ContentFilter, sharedFilter } from '#origin/platform/content/find-content.ts';
import { checkStatus } from '#origin/platform/content/serve-content.ts';
import { authorizeList } from '#origin/platform/content/content-rights.ts';
import { writingChecks } from '#origin/platform/content/writing/check-writing.ts';
import { authorizeDeletion } from '#origin/platform/content/writing/plan-content.ts';
import { isUploadType } from '#origin/platform/files/file-store.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { deleteMedia, recoverMedia } from './media/store-media-files.ts';
import { checkModifiers, editMedia } from './media/edit-media.ts';
import {
  authorizeImageEdit,
  authorizeMediaWrite,
  authorizeMediaUpdate,
  authorizeUpload,
} from './media/authorize-media.ts';
import { postProcessMedia } from './media/prepare-media.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import { updateMedia } from './media/update-media.ts';
import { createMedia } from './media/upload-media.ts';

const kind = CONTENT_KINDS.attachment;

export function serveMedia(registry: RouteRegistry): void {
  registry.serve(
    listMedia,
    async (call) => {
      const { query } = call;
      await recoverMedia(call.context);
      const filter = {
        ...(await sharedFilter('attachment', query, call)),
        parents: query.parent,
        notParents: query.parent_exclude,
        // MIME types that cannot be uploaded are ignored.
        mimeTypes: [
          ...(query.media_type ?? []).map((type) => `${type}/`),
          ...(query.mime_type ?? []).filter(isUploadType),
        ],
        ...imageFilter(call),
      };
      return listContent(call, { kind, query, filter, present: presentMedia });
    },
    { permit: authorizeList(kind), checks: { status: checkStatus(kind) } },
  );

  registry.serve(createMediaRoute, afterRecovery(createMedia), {
    permit: authorizeUpload,
    checks: writingChecks(kind),
  });

  registry.serve(getMedia, (call) => getItem(call, kind, presentMedia), { permit: authorizeItem(kind) });
  registry.serve(updateMediaRoute, updateMedia, { permit: authorizeMediaUpdate, checks: writingChecks(kind) });
  registry.serve(deleteMediaRoute, afterRecovery(deleteMedia), { permit: authorizeDeletion(kind) });

  registry.serve(postProcessMediaRoute, afterRecovery(postProcessMedia), { permit: authorizeMediaWrite });
  registry.serve(editMediaRoute, afterRecovery(editMedia), {
    permit: authorizeImageEdit,
    checks: { modifiers: checkModifiers },
  });
}

/** Reads undeclared parameters: `is_regeneratable` selects files with sizes, `exclude_site_icons` omits site icons. */
function imageFilter({ others }: AnyCall): Pick<ContentFilter, 'mimeTypes' | 'notMimeTypes' | 'notSiteIcons'> {
  const isSent = (name: string) => wireBoolean.safeParse(others[name]).data === true;
  return {
    ...(isSent('is_regeneratable')
      ? { mimeTypes: ['image/', 'application/pdf'], notMimeTypes: ['image/svg+xml'] }
      : {}),
    ...(isSent('exclude_site_icons') ? { notSiteIcons: true } : {}),
  };
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
