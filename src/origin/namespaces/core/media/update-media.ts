import type { updateMedia as declaration } from '#contracts/core/routes.ts';
import { canEdit, createCannotEditError } from '#origin/platform/content/content-rights.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import { presentWritten, updateRow, loadForUpdate } from '#origin/platform/content/writing/write-content.ts';
import { item, type ResultOf } from '#origin/platform/http/transport/call.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { planMedia } from './plan-media.ts';
import { announceMedia } from '#origin/platform/media/regenerate-sizes.ts';
import { presentMedia } from '#origin/platform/media/present-media.ts';
import type { MediaUpdateCall } from './authorize-media.ts';

const kind = CONTENT_KINDS.attachment;

/** Updates the given fields of a media item. Its files never change. */
export async function updateMedia(call: MediaUpdateCall): Promise<ResultOf<typeof declaration>> {
  const { context, caller, addresses, params, body } = call;
  const { kinds } = context;
  const site = await loadSite(call);
  const scope = { caller, site, kinds, publicUrl: addresses.site, refuse: call.refuse };
  const row = await writeContent(context.store.db, async (tx, now) => {
    const before = await loadForUpdate(tx, call, kind, params.id);
    // The author may have changed since the authorization.
    if (!canEdit(before, caller)) throw createCannotEditError(call);
    const after = await updateRow(tx, before, await planMedia(tx, body, before, { ...scope, now }), { kind });
    await announceMedia(tx, before, after);
    return after;
  });
  return item(await presentWritten(call, kind, row, presentMedia));
}
