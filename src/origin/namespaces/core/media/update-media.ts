import { eq } from 'drizzle-orm';
import type { updateMedia as declaration } from '#contracts/core/routes.ts';
import { mayEdit } from '#origin/platform/content/content-rights.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { cannotEdit } from '#origin/platform/content/writing/permit-writing.ts';
import { presentWritten } from '#origin/platform/content/writing/present-written.ts';
import { changeRow, loadForUpdate } from '#origin/platform/content/writing/update-content.ts';
import { announce, type OriginEvent } from '#origin/platform/events/index.ts';
import { item, type AnswerOf, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { CONTENT_KINDS, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { planMedia } from './plan-media.ts';
import { presentMedia } from './present-media.ts';
import type { MediaUpdateCall } from './upload-call.ts';

const kind = CONTENT_KINDS.attachment;

/** Changes what was sent of a media item; its files stay what and where they are. */
export async function updateMedia(call: MediaUpdateCall): Promise<AnswerOf<typeof declaration>> {
  const { context, caller, addresses, params, body } = call;
  const { kinds } = context;
  const site = await loadSite(call);
  const scope = { caller, site, kinds, publicUrl: addresses.site, now: new Date(), refuse: call.refuse };
  const row = await writeContent(context.store.db, async (tx) => {
    const before = await loadForUpdate(tx, call, kind, params.id);
    // It may have changed hands since permission was asked for.
    if (!mayEdit(before, caller)) throw cannotEdit(call);
    const after = await changeRow(tx, before, await planMedia(tx, body, before, scope), { kind });
    await announceMedia(tx, before, after);
    return after;
  });
  return item(await presentWritten(call, kind, row, presentMedia));
}

/** Keeps more of a file's measures, and answers the row. */
export async function keepDetails(
  call: AnyCall<'rest_post_invalid_id'>,
  id: number,
  change: (details: Record<string, unknown>) => Record<string, unknown>,
) {
  return writeContent(call.context.store.db, async (tx) => {
    const before = await loadForUpdate(tx, call, kind, id);
    const mediaDetails = change(before.mediaDetails);
    await tx.update(content).set({ mediaDetails }).where(eq(content.id, id));
    const after = { ...before, mediaDetails };
    await announceMedia(tx, before, after);
    return after;
  });
}

type Seen = Pick<ContentRow, 'id' | 'status'>;

/** Announces what readers notice of a write of media: private ones are nobody's business. */
export async function announceMedia(
  tx: Transaction,
  before: Seen | undefined,
  after: Seen | undefined,
  others: readonly OriginEvent[] = [],
): Promise<void> {
  const row = after ?? before;
  const wasSeen = before?.status === 'inherit';
  const isSeen = after?.status === 'inherit';
  const action = !wasSeen ? 'created' : isSeen ? 'updated' : 'deleted';
  const own = row && (wasSeen || isSeen) ? [{ what: 'media', id: String(row.id), action } as const] : [];
  await announce(tx, [...own, ...others]);
}
