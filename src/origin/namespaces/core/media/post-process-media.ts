import type { postProcessMedia as declaration } from '#contracts/core/routes.ts';
import { loadRow } from '#origin/platform/content/get-item.ts';
import { presentWritten } from '#origin/platform/content/writing/create-content.ts';
import { item, type ResultOf } from '#origin/platform/http/transport/call.ts';
import {
  updateMediaDetails,
  runExclusively,
  regenerateSizes,
  removeRegenerated,
} from '#origin/platform/media/regenerate-sizes.ts';
import { isResizable } from '#origin/platform/media/image-work.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import type { PostProcessCall } from './authorize-media.ts';

const kind = CONTENT_KINDS.attachment;

/** Generates the missing sizes of an image. Other files have no sizes. */
export async function postProcessMedia(call: PostProcessCall): Promise<ResultOf<typeof declaration>> {
  const { context, params } = call;
  const row = await runExclusively(context, params.id, async () => {
    const before = await loadRow(call, kind, params.id);
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
