import { and, eq, asc, desc, inArray } from 'drizzle-orm';
import { chapterItems } from '#contracts/podcast/chapter.ts';
import * as routes from '#contracts/podcast/episode-routes.ts';
import { formatPlayTime, parsePlayTime } from '#contracts/podcast/play-time.ts';
import { loadContentView, commonFields } from '#origin/platform/content/present-content.ts';
import { thumbnailOf } from '#origin/platform/content/embeds.ts';
import { item, type AnyCall, type Call, created, requireRight } from '#origin/platform/http/transport/call.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { fromSiteTime, offsetHours } from '#contracts/site-clock.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadEpisodeFiles } from './media/list-files.ts';
import {
  episodePages,
  linkEpisode,
  loadEpisode,
  type EpisodeWithPage,
  canReadEpisode,
  type EpisodeRequest,
  type EpisodeRow,
  authorizeEpisodeRead,
  authorizeEpisodeWrite,
  authorizeEpisodeDelete,
  episodeTitle,
} from './find-episode.ts';
import { loadPodcastRecord, type PodcastRecord } from './podcast-record.ts';
import { findEpisodeShow, findShow, type ShowRow } from './shows.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { podcastEpisode, podcastShow, emptyToNull, omitUndefined } from './tables.ts';
import { hash } from 'node:crypto';
import type { EpisodeBody } from '#contracts/podcast/episode.ts';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import { saveContent, deleteContent } from '#origin/platform/content/writing/write-content.ts';
import { filterInput, loadWritingScope } from '#origin/platform/content/writing/plan-content.ts';
import { invalidParameters, errorFactory, RestError } from '#origin/platform/http/transport/rest-error.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { changeEpisode } from './change-episode.ts';
import { checkEpisodeFiles } from './media/episode-media.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';

/** Serves episodes in both versions. */
export function serveEpisodes(registry: RouteRegistry): void {
  const write = registry.with({ permit: authorizeEpisodeWrite });
  const read = registry.with({ permit: authorizeEpisodeRead });
  registry.serve(routes.listEpisodesV1, async (call) => {
    const query = { status: 'publish', sort_by: 'post_date', order_by: 'desc' } as const;
    return item({ results: await listRows(call, query), _version: 'v1' });
  });
  read(routes.getEpisodeV1, async (call) => {
    const found = await loadEpisode(call);
    const { episode, page } = found;
    // Callers that can read the episode can also read its text.
    const view = await loadContentView(call, episodePages, [page], { context: 'edit' });
    const notes = call.fields.wants('content') ? (await commonFields(page, view)).content.rendered : '';
    return item({
      _version: 'v1',
      ...(await presentSharedFields(call, found)),
      slug: page.slug,
      chapters: chapterItems(episode.chapters),
      content: notes,
    });
  });
  write(routes.updateEpisodeV1, async (call) => {
    await changeEpisode(call, ({ episode }) => ({ episode: toColumns(call.body, episode) }));
    return item(null);
  });
  registry.with({ permit: authorizeEpisodeList })(routes.listEpisodes, async (call) => {
    const { show: slug } = call.query;
    const show = slug ? await findShow(call, eq(podcastShow.slug, slug)) : undefined;
    if (slug && !show) throw call.refuse('rest_not_found', `There is no show with the slug "${slug}".`);
    return item({ results: await listRows(call, call.query, show), _version: 'v2' });
  });
  const permit = requireRight(episodePages.rights.edit, 'rest_forbidden', 'You are not allowed to add episodes.');
  registry.with({ permit })(routes.createEpisode, async (call) => {
    const refuse = errorFactory(routes.episodePageRoutes.create.errors, call.caller);
    const scope = await loadWritingScope({ ...call, refuse }, episodePages);
    const id = await writeContent(call.context.store.db, async (tx, now) => {
      // A page without any text can't be stored.
      const input = { title: 'New episode', status: 'draft' } as const;
      const { row } = await saveContent(tx, undefined, input, { ...scope, now });
      const [episode] = await tx
        .select({ id: podcastEpisode.id })
        .from(podcastEpisode)
        .where(eq(podcastEpisode.contentId, row.id));
      if (!episode) throw new Error('The new page has no episode.');
      return episode.id;
    });
    const location = `podcast/v2/episodes/${id}`;
    return created({ message: `The episode ${id} was added.`, location, id }, location);
  });
  read(routes.getEpisode, async (call) => {
    const found = await loadEpisode(call);
    const { episode, page } = found;
    const show = await findEpisodeShow(call, episode);
    return item({
      _version: 'v2',
      ...(await presentSharedFields(call, found)),
      guid: episode.guid,
      slug: episode.slug,
      slug_frozen: episode.slugFrozen,
      post_id: page.id,
      type: episode.type,
      recording_date: episode.recordingDate,
      episode_poster: episode.poster,
      explicit: episode.explicit,
      license_name: episode.licenseName,
      license_url: episode.licenseUrl,
      ext_production_id: episode.productionId ?? '',
      is_ext_production_running: episode.isProductionRunning ?? '',
      ext_chapter_timing_maps: episode.timingMaps,
      ext_plus_transfer_status: '',
      ext_plus_transfer_files: '',
      ext_plus_transfer_errors: '',
      ext_plus_transfer_change_time: '',
      show: show?.slug ?? '',
      // Sent only if set, as other servers don't have this field.
      ...(episode.season === null ? {} : { season: episode.season }),
    });
  });
  write(routes.updateEpisode, async (call) => {
    const { body } = call;
    const { title } = await filterInput({ title: body.title }, call.caller);
    const showId = body.show === undefined ? undefined : await findShowId(call, body.show);
    const { episode: before } = await loadEpisode(call);
    const { episode } = await changeEpisode(call, async (found, tx) => {
      if (body.guid !== undefined && body.guid !== found.episode.guid) await rejectTakenGuid(tx, body.guid);
      return {
        episode: { ...toColumns({ ...body, title }, found.episode), ...(showId === undefined ? {} : { showId }) },
        page: title === undefined ? {} : { title: title.trim() },
      };
    });
    if (episode.slug !== before.slug && body.skip_validation !== true) await checkEpisodeFiles(call);
    return item({ status: 'ok' });
  });
  registry.with({ permit: authorizeEpisodeDelete })(routes.deleteEpisode, async (call) => {
    const { page } = await loadEpisode(call);
    if (page.status !== 'trash') {
      const deletion = { params: { id: page.id }, query: { force: false } };
      const refuse = errorFactory(routes.episodePageRoutes.remove.errors, call.caller);
      try {
        await deleteContent({ ...call, ...deletion, refuse }, episodePages, episodePages.present);
      } catch (error) {
        // A concurrent request can have trashed the page first.
        if (!(error instanceof RestError) || error.code !== 'rest_already_trashed') throw error;
      }
    }
    return item({ status: 'ok' });
  });
}

/** Returns the fields shared by both versions and the player. */
export async function presentSharedFields(call: AnyCall, { episode, page }: EpisodeWithPage) {
  const site = await loadSite(call);
  const record = await loadPodcastRecord(call);
  return {
    id: episode.id,
    title: episodeTitle({ episode, page }, record),
    title_clean: episode.title,
    subtitle: episode.subtitle?.trim() ?? '',
    summary: episode.summary?.trim() ?? '',
    publicationDate: withOffset(page.date, site.timezone),
    duration: formatPlayTime(parsePlayTime(episode.duration ?? '') ?? 0),
    poster: await findPoster(call, page, record),
    link: linkEpisode(page, call.context),
    ...(await loadEpisodeFiles(call, episode)),
    number: episode.number,
    mnemonic: routes.episodeMnemonic(record.mnemonic ?? undefined, episode.number ?? undefined),
    soundbite_start: episode.soundbiteStart,
    soundbite_duration: episode.soundbiteDuration,
    soundbite_title: episode.soundbiteTitle,
  };
}

/** Formats a site time with its UTC offset: `2026-03-02T06:00:00+01:00`. */
function withOffset(siteTime: string, timeZone: string): string {
  const minutes = Math.round(offsetHours(fromSiteTime(siteTime, timeZone), timeZone) * 60);
  const offset = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((n) => String(n).padStart(2, '0'));
  return `${siteTime.slice(0, 19).replace(' ', 'T')}${minutes < 0 ? '-' : '+'}${offset.join(':')}`;
}

/** Minimum width of a poster in pixels. */
const POSTER_WIDTH = 500;

/** Returns the page's image in the smallest sufficient size, or else the cover of the podcast. */
async function findPoster(call: AnyCall, page: ContentRow, record: PodcastRecord): Promise<string | null> {
  if (page.featuredMedia === 0 || !call.fields.wants('poster')) return record.cover_image;
  const [row] = await call.context.store.db
    .select()
    .from(content)
    .where(and(eq(content.id, page.featuredMedia), eq(content.type, 'attachment')));
  return thumbnailOf(row, call.context.publicUrl, POSTER_WIDTH)?.url ?? record.cover_image;
}

/** Page statuses by filter value. Trashed episodes are never listed. */
const STATUSES = {
  publish: ['publish'],
  draft: ['draft'],
  all: ['publish', 'private', 'draft', 'pending', 'future'],
} as const;

function authorizeEpisodeList({ query, caller, refuse }: Call<typeof routes.listEpisodes>): void {
  if (query.status !== 'publish' && !can(caller, 'edit_posts'))
    throw refuse('rest_forbidden', 'Only users who write episodes may list unpublished ones.');
}

async function listRows(call: AnyCall, query: Call<typeof routes.listEpisodes>['query'], show?: ShowRow) {
  const record = await loadPodcastRecord(call);
  const order = query.order_by.toLowerCase() === 'asc' ? asc : desc;
  const { id, type, title, password, authorId, parentId, statusBeforeTrash } = content;
  const rows = await call.context.store.db
    .select({
      episode: { id: podcastEpisode.id, title: podcastEpisode.title, number: podcastEpisode.number },
      page: { id, type, status: content.status, title, password, authorId, parentId, statusBeforeTrash },
    })
    .from(podcastEpisode)
    .innerJoin(content, eq(content.id, podcastEpisode.contentId))
    .where(
      and(
        eq(content.type, routes.EPISODE_PAGE_TYPE),
        inArray(content.status, [...STATUSES[query.status]]),
        show && eq(podcastEpisode.showId, show.id),
        query.guid ? eq(podcastEpisode.guid, query.guid) : undefined,
      ),
    )
    .orderBy(...(query.sort_by === 'post_date' ? [order(content.date)] : []), order(content.id));
  return rows
    .filter(({ page }) => canReadEpisode(page, call.caller))
    .map((row) => ({ id: row.episode.id, title: episodeTitle(row, record) }));
}

/** Maps a request body to columns. Missing fields are omitted, empty strings become null. */
function toColumns(body: Partial<EpisodeBody>, before: EpisodeRow): Partial<EpisodeRow> {
  const { ext_webhook_config: webhook, recording_date: recorded } = body;
  return omitUndefined<EpisodeRow>({
    guid: body.guid,
    title: emptyToNull(body.title),
    subtitle: emptyToNull(body.subtitle),
    summary: emptyToNull(body.summary),
    number: body.number,
    season: body.season,
    slug: before.slugFrozen ? undefined : emptyToNull(body.slug),
    duration: body.duration,
    type: body.type,
    poster: emptyToNull(body.episode_poster ?? body.cover),
    explicit: body.explicit,
    soundbiteStart: body.soundbite_start,
    soundbiteDuration: body.soundbite_duration,
    soundbiteTitle: emptyToNull(body.soundbite_title),
    recordingDate: recorded === undefined ? undefined : completeDate(recorded),
    licenseName: emptyToNull(body.license_name),
    licenseUrl: emptyToNull(body.license_url),
    productionId: emptyToNull(body.ext_production_id),
    isProductionRunning: body.is_ext_production_running,
    timingMaps: body.ext_chapter_timing_maps,
    ...(webhook ? { productionKeyHash: hash('sha256', webhook.authkey), publishesWhenProduced: webhook.enabled } : {}),
  });
}

/** Completes a date with its time: `2026-01-05 00:00:00`. */
function completeDate(text: string): string | null {
  if (text === '') return null;
  const [day = '', time = ''] = text.split(/[ T]/);
  return `${day} ${[...time.split(':').filter((part) => part !== ''), '00', '00', '00'].slice(0, 3).join(':')}`;
}

/** Rejects the GUID of another episode: apps show only one of the episodes that share a GUID. */
async function rejectTakenGuid(tx: Transaction, guid: string): Promise<void> {
  const [other] = await tx.select({ id: podcastEpisode.id }).from(podcastEpisode).where(eq(podcastEpisode.guid, guid));
  if (!other) return;
  const text = `The guid "${guid}" is already used by episode ${other.id}. Send another one, or none.`;
  throw invalidParameters([{ name: 'guid', text }]);
}

/** Returns the ID of the show with this slug; null for an empty slug. */
async function findShowId(call: EpisodeRequest, slug: string): Promise<number | null> {
  if (slug === '') return null;
  const show = await findShow(call, eq(podcastShow.slug, slug));
  if (show) return show.id;
  throw invalidParameters([{ name: 'show', text: `There is no show with the slug "${slug}". Add it, or send "".` }]);
}
