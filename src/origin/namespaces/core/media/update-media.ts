import { eq } from 'drizzle-orm';
import { item, type Answer } from '#origin/platform/http/transport/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { mayEdit } from '#origin/platform/content/content-rights.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { cannotEdit } from '#origin/platform/content/writing/permit-writing.ts';
import { presentWritten } from '#origin/platform/content/writing/present-written.ts';
import { changeRow, loadForWriting } from '#origin/platform/content/writing/update-content.ts';
import { planMedia } from './plan-media.ts';
import { presentMedia } from './present-media.ts';
import { tellMediaReaders } from './tell-media-readers.ts';
import type { MediaUpdateCall } from './upload-call.ts';

const kind = CONTENT_KINDS.attachment;

/** Changes what was sent of a medium; its files stay what and where they are. */
export async function updateMedia(call: MediaUpdateCall): Promise<Answer> {
  const { context, caller, addresses, params, body } = call;
  const scope = { caller, site: await loadSite(call), publicUrl: addresses.site, now: new Date() };
  const row = await writeContent(context.store.db, async (tx) => {
    const before = await loadForWriting(tx, kind, params.id);
    // It may have changed hands since permission was asked for.
    if (!mayEdit(before, caller)) throw cannotEdit(caller);
    const after = await changeRow(tx, before, await planMedia(tx, body, before, scope), { kind });
    await tellMediaReaders(tx, before, after);
    return after;
  });
  return item(await presentWritten(call, kind, row, presentMedia));
}

/** Keeps more of a file's measures, and answers the row. */
export async function keepDetails(
  { context }: Pick<MediaUpdateCall, 'context'>,
  id: number,
  change: (details: Record<string, unknown>) => Record<string, unknown>,
) {
  return writeContent(context.store.db, async (tx) => {
    const before = await loadForWriting(tx, kind, id);
    const mediaDetails = change(before.mediaDetails);
    await tx.update(content).set({ mediaDetails }).where(eq(content.id, id));
    const after = { ...before, mediaDetails };
    await tellMediaReaders(tx, before, after);
    return after;
  });
}
