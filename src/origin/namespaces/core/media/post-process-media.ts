import type { postProcessMedia as declaration } from '#contracts/core/routes.ts';
import { loadRow } from '#origin/platform/content/answer-item.ts';
import { presentWritten } from '#origin/platform/content/writing/present-written.ts';
import { item, type AnswerOf } from '#origin/platform/http/transport/index.ts';
import { changeDetails } from '#origin/platform/media/change-details.ts';
import { isSized } from '#origin/platform/media/image-sizes.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import { alone, remakeSizes, removeRemade } from '#origin/platform/media/remake-sizes.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import type { PostProcessCall } from './upload-call.ts';

const kind = CONTENT_KINDS.attachment;

/** Makes the sizes that a picture lacks; other files have none. */
export async function postProcessMedia(call: PostProcessCall): Promise<AnswerOf<typeof declaration>> {
  const { context, params } = call;
  const row = await alone(context, params.id, async () => {
    const before = await loadRow(call, kind, params.id);
    const { mimeType } = before;
    if (!isSized(mimeType)) return before;
    const remade = await remakeSizes(call, { ...before, mimeType }, { onlyMissing: true });
    if (!remade || remade.written.length === 0) return before;
    const after = await changeDetails(context, before.id, (kept) => ({
      ...kept,
      sizes: { ...(kept['sizes'] as object | undefined), ...Object.fromEntries(remade.made) },
    }));
    if (!after) {
      await removeRemade(context, before, remade);
      throw call.refuse('rest_post_invalid_id', 'No item with this ID.');
    }
    return after;
  });
  return item(await presentWritten(call, kind, row, presentMedia));
}
