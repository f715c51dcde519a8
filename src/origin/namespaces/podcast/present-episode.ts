import { and, eq, asc, desc, inArray } from 'drizzle-orm';
import { chapterItems } from '#contracts/podcast/chapter.ts';
import {
  displayTitle,
  episodeMnemonic,
  EPISODE_PAGE_TYPE,
  type getEpisode,
  type getEpisodeV1,
  type listEpisodes,
  type listEpisodesV1,
} from '#contracts/podcast/episode-routes.ts';
import { formatPlayTime, parsePlayTime } from '#contracts/podcast/play-time.ts';
import { loadContentView, commonFields } from '#origin/platform/content/present-content.ts';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import { item, type ResultOf, type AnyCall, type Call } from '#origin/platform/http/transport/call.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { fromSiteTime, offsetHours } from '#contracts/site-clock.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadEpisodeFiles } from './media/list-files.ts';
import { episodePages, linkEpisode, loadEpisode, type EpisodeWithPage, canReadEpisode } from './find-episode.ts';
import { loadPodcastRecord, type PodcastRecord } from './podcast-record.ts';
import { loadShow, findShow } from './shows.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { podcastEpisode } from './tables.ts';

/** Returns an episode for version 2, without its chapters and page text. */
export async function handleGetEpisode(call: Call<typeof getEpisode>): Promise<ResultOf<typeof getEpisode>> {
  const found = await loadEpisode(call);
  const { episode, page } = found;
  const { showId } = episode;
  const show = showId === null ? undefined : await loadShow(call, showId);
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
}

/** Returns an episode for version 1, with its chapters and page text. */
export async function handleGetEpisodeV1(call: Call<typeof getEpisodeV1>): Promise<ResultOf<typeof getEpisodeV1>> {
  const found = await loadEpisode(call);
  const { episode, page } = found;
  // Callers that can read the episode can also read its text.
  const view = await loadContentView(call, episodePages, [page], { context: 'edit' });
  const notes = call.fields.wants('content') ? (await commonFields(page, view).content()).rendered : '';
  return item({
    _version: 'v1',
    ...(await presentSharedFields(call, found)),
    slug: page.slug,
    chapters: chapterItems(episode.chapters),
    content: notes,
  });
}

/** Returns the fields shared by both versions and the player. */
export async function presentSharedFields(call: AnyCall, { episode, page }: EpisodeWithPage) {
  const [site, record, files] = [
    await loadSite(call),
    await loadPodcastRecord(call),
    await loadEpisodeFiles(call, episode),
  ];
  return {
    id: episode.id,
    title: episodeTitle({ episode, page }, record),
    title_clean: episode.title,
    subtitle: episode.subtitle?.trim() ?? '',
    summary: episode.summary?.trim() ?? '',
    publicationDate: withOffset(page.date, site.timezone),
    duration: formatPlayTime(parsePlayTime(episode.duration ?? '') ?? 0),
    poster: await findPoster(call, page, record),
    link: linkEpisode(page, call),
    audio: files.audio,
    files: files.files,
    number: episode.number,
    mnemonic: episodeMnemonic(record.mnemonic ?? undefined, episode.number ?? undefined),
    soundbite_start: episode.soundbiteStart,
    soundbite_duration: episode.soundbiteDuration,
    soundbite_title: episode.soundbiteTitle,
  };
}

interface TitleSource {
  episode: { title: string | null; number: number | null };
  page: Pick<ContentRow, 'title' | 'status' | 'password'>;
}

/** Returns the title for lists and pages, as HTML. */
export function episodeTitle({ episode, page }: TitleSource, record: PodcastRecord): string {
  const prefix = page.password !== '' ? 'Protected: ' : page.status === 'private' ? 'Private: ' : '';
  return texturise(prefix + plainEpisodeTitle({ episode, page }, record));
}

/** Returns the title as entered, without a visibility prefix. */
export function plainEpisodeTitle(
  { episode, page }: Pick<TitleSource, 'episode'> & { page: { title: string } },
  record: PodcastRecord,
) {
  const names = {
    pageTitle: page.title,
    cleanTitle: episode.title ?? undefined,
    number: episode.number ?? undefined,
    podcastMnemonic: record.mnemonic ?? undefined,
  };
  return displayTitle(names, record.has_generated_titles);
}

/** Formats a site time with its UTC offset: `2026-03-02T06:00:00+01:00`. */
function withOffset(siteTime: string, timeZone: string): string {
  const minutes = Math.round(offsetHours(fromSiteTime(siteTime, timeZone), timeZone) * 60);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map(twoDigits);
  return `${siteTime.slice(0, 19).replace(' ', 'T')}${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
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
  if (!row) return record.cover_image;
  const file = readMediaFile(row, `${call.addresses.site}/uploads`);
  const [size] = Object.values(file.details.sizes)
    .filter(({ width, height }) => width >= POSTER_WIDTH && height > 0)
    .toSorted((a, b) => a.width - b.width);
  return size ? file.urlOf(size.file) : file.url;
}

/** Page statuses by filter value. Trashed episodes are never listed. */
const STATUSES = {
  publish: ['publish'],
  draft: ['draft'],
  all: ['publish', 'private', 'draft', 'pending', 'future'],
} as const;

interface ListQuery {
  status: keyof typeof STATUSES;
  showId?: number | undefined;
  guid?: string | undefined;
  sortBy: 'post_date' | 'post_id';
  direction: 'asc' | 'desc';
}

export function authorizeEpisodeList({ query, caller, refuse }: Call<typeof listEpisodes>): void {
  if (query.status !== 'publish' && !can(caller, 'edit_posts'))
    throw refuse('rest_forbidden', 'Only users who write episodes may list unpublished ones.');
}

/** Lists the episodes that the caller can read, without pagination. */
export async function handleListEpisodes(call: Call<typeof listEpisodes>): Promise<ResultOf<typeof listEpisodes>> {
  const { status, show: slug, guid, sort_by: sortBy, order_by } = call.query;
  const show = slug ? await findShow(call, slug) : undefined;
  if (slug && !show) throw call.refuse('rest_not_found', `There is no show with the slug "${slug}".`);
  const direction = order_by === 'asc' || order_by === 'ASC' ? 'asc' : 'desc';
  return item({
    results: await listRows(call, { status, showId: show?.id, guid: guid || undefined, sortBy, direction }),
    _version: 'v2',
  });
}

export async function handleListEpisodesV1(
  call: Call<typeof listEpisodesV1>,
): Promise<ResultOf<typeof listEpisodesV1>> {
  return item({
    results: await listRows(call, { status: 'publish', sortBy: 'post_date', direction: 'desc' }),
    _version: 'v1',
  });
}

async function listRows(call: AnyCall, { status, showId, guid, sortBy, direction }: ListQuery) {
  const record = await loadPodcastRecord(call);
  const order = direction === 'asc' ? asc : desc;
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
        eq(content.type, EPISODE_PAGE_TYPE),
        inArray(content.status, [...STATUSES[status]]),
        showId === undefined ? undefined : eq(podcastEpisode.showId, showId),
        guid === undefined ? undefined : eq(podcastEpisode.guid, guid),
      ),
    )
    .orderBy(...(sortBy === 'post_date' ? [order(content.date)] : []), order(content.id));
  return rows
    .filter(({ page }) => canReadEpisode(page, call.caller))
    .map((row) => ({ id: row.episode.id, title: episodeTitle(row, record) }));
}
