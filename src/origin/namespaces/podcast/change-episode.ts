import { eq, and, asc, inArray } from 'drizzle-orm';
import { canEdit } from '#origin/platform/content/content-rights.ts';
import { saveRevision, announceContent } from '#origin/platform/content/writing/write-content.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import { type ContentRow, TAG } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import {
  authorizeEpisodeRead,
  authorizeEpisodeWrite,
  EPISODE_MEMO,
  loadEpisode,
  plainEpisodeTitle,
  type EpisodeRequest,
  type EpisodeRow,
  type EpisodeWithPage,
} from './find-episode.ts';
import { podcastEpisode } from './tables.ts';
import * as routes from '#contracts/podcast/episode-routes.ts';
import {
  chapterFormat,
  chapterItems,
  chapterMimeType,
  toChapters,
  chaptersWithin,
  writeChapters,
  type Chapter,
} from '#contracts/podcast/chapter.ts';
import { parsePlayTime } from '#contracts/podcast/play-time.ts';
import { normaliseSlug } from '#origin/platform/content/slugs.ts';
import { item } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { loadPodcastRecord } from './podcast-record.ts';
import type { MiddlewareHandler } from 'hono';
import { findByUrl } from '#origin/platform/content/embeds.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';

interface EpisodeChange {
  episode?: Partial<EpisodeRow>;
  page?: Partial<Pick<ContentRow, 'title'>>;
  /** True if anything else of the episode was written, such as its tags or files. */
  isTouched?: boolean;
}

/**
 * Changes an episode and the modification date of its page, so that incremental readers find it. Writes nothing if
 * nothing changes.
 *
 * @param plan returns the changes; called in the transaction, possibly several times
 * @returns the changed episode
 */
export async function changeEpisode(
  call: EpisodeRequest,
  plan: (found: EpisodeWithPage, tx: Transaction) => EpisodeChange | Promise<EpisodeChange>,
): Promise<EpisodeWithPage> {
  const { episode } = await loadEpisode(call);
  const { timezone } = await loadSite(call);
  const changed = await writeContent(call.context.store.db, async (tx, now) => {
    // Locks the episode against other writes. Authorizes again, as the author can have changed since.
    const [stored] = await tx.select().from(content).where(eq(content.id, episode.contentId)).for('update');
    const [locked] = await tx.select().from(podcastEpisode).where(eq(podcastEpisode.id, episode.id)).for('update');
    if (!locked || !stored) throw call.refuse('rest_not_found', `The episode ${episode.id} has been deleted.`);
    if (!canEdit(stored, call.caller)) throw call.refuse('rest_forbidden', 'You are not allowed to edit this episode.');
    const before = { episode: locked, page: stored };
    const { episode: values = {}, page: texts = {}, isTouched = false } = await plan(before, tx);
    if (!isTouched && Object.keys({ ...values, ...texts }).length === 0) return before;
    if (Object.keys(values).length > 0)
      await tx.update(podcastEpisode).set(values).where(eq(podcastEpisode.id, episode.id));
    const pageValues = { ...texts, modified: toSiteTime(now, timezone), modifiedGmt: toSiteTime(now, 'UTC') };
    await tx.update(content).set(pageValues).where(eq(content.id, before.page.id));
    const page = { ...before.page, ...pageValues };
    if (Object.keys(texts).length > 0) await saveRevision(tx, page, call.caller.user?.id ?? 0);
    await announceContent(tx, before.page, page);
    return { episode: { ...before.episode, ...values }, page };
  });
  call.memo.forget(EPISODE_MEMO);
  return changed;
}

/** Serves the routes below an episode: slug, chapters and tags. */
export function serveEpisodeParts(registry: RouteRegistry): void {
  const read = registry.with({ permit: authorizeEpisodeRead });
  const write = registry.with({ permit: authorizeEpisodeWrite });
  write(routes.buildSlug, async (call) => {
    const title = call.query.title ?? plainEpisodeTitle(await loadEpisode(call), await loadPodcastRecord(call));
    // Clients expect status 201, as other servers send it.
    return { status: 201, body: { slug: normaliseSlug(title) } };
  });
  for (const [route, slugFrozen] of [
    [routes.freezeSlug, true],
    [routes.unfreezeSlug, false],
  ] as const)
    write(route, async (call) => {
      await changeEpisode(call, ({ episode }) =>
        episode.slugFrozen === slugFrozen ? {} : { episode: { slugFrozen } },
      );
      return item({ status: 'ok', slug_frozen: slugFrozen });
    });
  read(routes.getChapters, async (call) => {
    const { episode } = await loadEpisode(call);
    return item({ chapters: chapterItems(episode.chapters), _version: 'v2' });
  });
  write(routes.createChapters, async (call) => ({
    status: 201,
    body: await setChapters(call, toChapters(call.body.chapters)),
  }));
  write(routes.replaceChapters, async (call) => item(await setChapters(call, toChapters(call.body.chapters))));
  write(routes.deleteChapters, async (call) => item(await setChapters(call, [])));
  // An empty list has the shape of a write response.
  read(routes.listEpisodeTags, async (call) => {
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
  });
  // Unknown IDs are skipped.
  write(routes.addEpisodeTags, async (call) => {
    const ids = call.body.term_id ?? [];
    await changeEpisode(call, async ({ page }, tx) => {
      const known = await tx
        .select({ id: term.id })
        .from(term)
        .where(and(eq(term.taxonomy, TAG.taxonomy), inArray(term.id, ids)));
      if (known.length === 0) return {};
      const rows = known.map(({ id: termId }) => ({ contentId: page.id, termId }));
      const added = await tx.insert(contentTerm).values(rows).onConflictDoNothing().returning();
      return { isTouched: added.length > 0 };
    });
    return item({ status: 'ok' });
  });
  write(routes.removeEpisodeTags, async (call) => {
    const { term_id: id } = call.query;
    await changeEpisode(call, async ({ page }, tx) => {
      const tags = tx
        .select({ id: term.id })
        .from(term)
        .where(and(eq(term.taxonomy, TAG.taxonomy), id === undefined ? undefined : eq(term.id, id)));
      const removed = await tx
        .delete(contentTerm)
        .where(and(eq(contentTerm.contentId, page.id), inArray(contentTerm.termId, tags)))
        .returning();
      return { isTouched: removed.length > 0 };
    });
    return item({ status: 'ok' });
  });
}

async function setChapters(call: EpisodeRequest, chapters: Chapter[]) {
  await changeEpisode(call, ({ episode }) =>
    chapters.length === 0 && episode.chapters.length === 0 ? {} : { episode: { chapters } },
  );
  return { status: 'ok' as const };
}

/** Handles `?chapters_format=` on the page of a public episode: sends its chapters as a file. */
export function serveChapterFiles(context: OriginContext): MiddlewareHandler {
  return async (c, next) => {
    const format = chapterFormat.safeParse(c.req.query('chapters_format'));
    if (!format.success) return next();
    const { pathname, search } = new URL(c.req.url);
    const found = await findByUrl(context, context.publicUrl, `${context.publicUrl}${pathname}${search}`);
    if (found?.row.type !== routes.EPISODE_PAGE_TYPE || found.row.password !== '') return next();
    const [episode] = await context.store.db
      .select({ chapters: podcastEpisode.chapters, duration: podcastEpisode.duration })
      .from(podcastEpisode)
      .where(eq(podcastEpisode.contentId, found.row.id));
    const chapters = chaptersWithin(episode?.chapters ?? [], parsePlayTime(episode?.duration ?? '') ?? 0);
    return new Response(writeChapters(format.data, chapters), {
      headers: {
        'Content-Type': `${chapterMimeType(format.data)}; charset=utf-8`,
        'Access-Control-Allow-Origin': '*',
        'X-Content-Type-Options': 'nosniff',
      },
    });
  };
}
