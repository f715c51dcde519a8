import { and, asc, eq, inArray } from 'drizzle-orm';
import type { addEpisodeTags, listEpisodeTags, removeEpisodeTags } from '#contracts/podcast/index.ts';
import { item, type ResultOf, type Call } from '#origin/platform/http/transport/index.ts';
import { TAG } from '#origin/platform/registry/term-kind.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { contentTerm, term } from '#origin/platform/store/schema.ts';
import { loadEpisode, type EpisodeRequest, type EpisodeWithPage } from './find-episode.ts';
import { changeEpisode } from './change-episode.ts';

/** Lists the tags of an episode by name. An empty list has the shape of a write response. */
export async function handleListTags(call: Call<typeof listEpisodeTags>): Promise<ResultOf<typeof listEpisodeTags>> {
  const { page } = await loadEpisode(call);
  const { term_id: id, name } = call.query;
  const tags = await call.context.store.db
    .select({ term_id: term.id, name: term.name })
    .from(contentTerm)
    .innerJoin(term, and(eq(term.id, contentTerm.termId), eq(term.taxonomy, TAG.taxonomy)))
    .where(
      and(
        eq(contentTerm.contentId, page.id),
        id === undefined ? undefined : eq(term.id, id),
        name === undefined ? undefined : eq(term.name, name),
      ),
    )
    .orderBy(asc(term.name), asc(term.id));
  return tags.length > 0 ? item({ _version: 'v2', tags }) : item({ status: 'ok', tags: [] });
}

/** Adds tags to an episode. Unknown IDs are skipped. */
export async function handleAddTags(call: Call<typeof addEpisodeTags>): Promise<ResultOf<typeof addEpisodeTags>> {
  const ids = call.body.term_id ?? [];
  await changeTags(call, async (tx, { page }) => {
    if (ids.length === 0) return 0;
    const known = await tx
      .select({ id: term.id })
      .from(term)
      .where(and(eq(term.taxonomy, TAG.taxonomy), inArray(term.id, ids)));
    if (known.length === 0) return 0;
    const rows = known.map(({ id: termId }) => ({ contentId: page.id, termId }));
    return (await tx.insert(contentTerm).values(rows).onConflictDoNothing().returning()).length;
  });
  return item({ status: 'ok' });
}

/** Removes one tag or all tags from an episode. */
export async function handleRemoveTags(
  call: Call<typeof removeEpisodeTags>,
): Promise<ResultOf<typeof removeEpisodeTags>> {
  const { term_id: id } = call.query;
  await changeTags(call, async (tx, { page }) => {
    const isTag = inArray(
      contentTerm.termId,
      tx.select({ id: term.id }).from(term).where(eq(term.taxonomy, TAG.taxonomy)),
    );
    const isTarget = id === undefined ? isTag : and(isTag, eq(contentTerm.termId, id));
    const removed = await tx
      .delete(contentTerm)
      .where(and(eq(contentTerm.contentId, page.id), isTarget))
      .returning();
    return removed.length;
  });
  return item({ status: 'ok' });
}

/** Changes the tags of an episode's page, and its modification date if any tag changed. */
async function changeTags(
  call: EpisodeRequest,
  change: (tx: Transaction, found: EpisodeWithPage) => Promise<number>,
): Promise<void> {
  await changeEpisode(call, async (found, tx) => ({ isTouched: (await change(tx, found)) > 0 }));
}
