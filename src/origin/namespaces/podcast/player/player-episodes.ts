import { and, asc, count, desc, eq } from 'drizzle-orm';
import type { z } from 'zod';
import * as routes from '#contracts/player/routes.ts';
import { chapterItems, chaptersWithin } from '#contracts/podcast/chapter.ts';
import { formatPlayTime, parsePlayTime } from '#contracts/podcast/play-time.ts';
import { fillPath } from '#contracts/index.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { item, type AnyCall, type Call } from '#origin/platform/http/transport/call.ts';
import type { RestError } from '#origin/platform/http/transport/rest-error.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { FileStore } from '#origin/platform/files/file-store.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { content } from '#origin/platform/store/schema.ts';
import {
  canReadEpisode,
  episodeTitle,
  findEpisode,
  isPublicEpisode,
  selectEpisodes,
  type EpisodeWithPage,
} from '../find-episode.ts';
import { isEnabled, loadFiles } from '../media/list-files.ts';
import { presentSharedFields } from '../episodes.ts';
import { loadPodcastRecord } from '../podcast-record.ts';
import { findEpisodeShow, findShow, type ShowRow } from '../shows.ts';
import { podcastEpisode, podcastShow } from '../tables.ts';

/** Maximum episodes in the playlist of a show: as many as on a page of posts. */
const MAX_SHOW_ITEMS = 10;

const MAX_TRANSCRIPT_BYTES = 5_000_000;

/** Serves episodes to players, by the ids of their pages. */
export function servePlayerEpisodes(registry: RouteRegistry): void {
  registry.serve(routes.getPlayerEpisode, async (call) => item<routes.PlayerEpisode>(await presentEpisode(call)), {
    // Not cached: the response contains a transcript from a file that can change.
    isKept: false,
    permit: authorizePage,
  });
  registry.serve(routes.getPlaylist, async (call) => item(await listPlaylist(call, routes.MAX_PLAYLIST_ITEMS)));
  registry.serve(routes.getShowPlaylist, async (call) => {
    const show = await findShow(call, eq(podcastShow.slug, call.params.slug));
    return item(show ? await listPlaylist(call, MAX_SHOW_ITEMS, show) : []);
  });
}

type PageCall = Call<typeof routes.getPlayerEpisode>;

/** Loads the episode of a page. */
async function loadPage(call: PageCall): Promise<EpisodeWithPage> {
  const found = await findEpisode(call, eq(content.id, call.params.id));
  if (found) return found;
  // Callers who can't edit posts get the same error for missing episodes and for drafts.
  throw can(call.caller, 'edit_posts')
    ? call.refuse('rest_not_found', 'No episode has a page with this id.')
    : createForbiddenError(call);
}

async function authorizePage(call: PageCall): Promise<void> {
  const { page } = await loadPage(call);
  if (!canReadEpisode(page, call.caller)) throw createForbiddenError(call);
}

function createForbiddenError({ refuse }: PageCall): RestError {
  return refuse('rest_forbidden', 'You are not allowed to listen to this episode.');
}

async function presentEpisode(call: PageCall): Promise<routes.PlayerEpisode> {
  const found = await loadPage(call);
  const shared = await presentSharedFields(call, found);
  const { title, subtitle, summary, publicationDate, duration, poster, link, audio, files } = shared;
  const texts = { title, subtitle, summary, publicationDate, duration, poster, link };
  const chapters = chapterItems(chaptersWithin(found.episode.chapters, parsePlayTime(duration) ?? 0));
  const record = await loadPodcastRecord(call);
  const stored = await findEpisodeShow(call, found.episode);
  // Missing values fall back to the podcast.
  const show = {
    title: stored?.title ?? record.title ?? '',
    subtitle: stored?.subtitle ?? record.subtitle ?? '',
    summary: stored?.summary ?? record.summary ?? '',
    poster: stored?.image ?? record.cover_image ?? '',
    link: call.addresses.site,
  };
  const cues = await readCues(call, found);
  return { version: routes.PLAYER_DATA_VERSION, show, ...texts, chapters, audio, files, ...cues };
}

/** Reads the transcript of an episode, if its file is stored here and valid. */
async function readCues(call: AnyCall, { episode }: EpisodeWithPage) {
  const offered = (await loadFiles(call, episode)).filter(isEnabled);
  const transcriptFile = offered.find(({ asset, file }) => asset.type.extension === 'vtt' && file.size > 0);
  if (!transcriptFile?.place.path) return {};
  // The file can have changed since it was checked.
  const { path } = transcriptFile.place;
  const { uploads } = call.context.files;
  const opened = await uploads.open(path);
  await opened?.close();
  if (opened === undefined || opened.bytes > MAX_TRANSCRIPT_BYTES) return {};
  const key = `${uploads.folder} ${path} ${opened.etag}`;
  const parsed = recentCues.get(key) ?? parseCues(uploads, path);
  if (opened.bytes <= MAX_RECENT_BYTES) cacheCues(key, parsed);
  const transcripts = await parsed;
  return transcripts ? { transcripts } : {};
}

type Cues = routes.PlayerEpisode['transcripts'];

async function parseCues(uploads: FileStore, path: string): Promise<Cues> {
  const bytes = await uploads.read(path);
  const cues = bytes && (await runTextJob('transcript', 'webvtt', bytes.toString('utf8')));
  return cues?.ok ? routes.playerCues(cues.value) : undefined;
}

/** Maximum number of cached transcripts. All listeners of an episode request the same one. */
const MAX_RECENT = 4;
/** Maximum file size of a cached transcript. Parsed cues take ten times the memory. */
const MAX_RECENT_BYTES = 1024 * 1024;
/** Transcripts by file and version, least recently used first. */
const recentCues = new Map<string, Promise<Cues>>();

function cacheCues(key: string, parsed: Promise<Cues>): void {
  recentCues.delete(key);
  recentCues.set(key, parsed);
  parsed.catch(() => recentCues.delete(key));
  const [oldest] = recentCues.keys();
  if (recentCues.size > MAX_RECENT && oldest !== undefined) recentCues.delete(oldest);
}

/** Lists the newest public episodes. */
async function listPlaylist(call: AnyCall, limit: number, show?: ShowRow): Promise<routes.PlaylistItem[]> {
  const record = await loadPodcastRecord(call);
  const rows = await selectEpisodes(call.context.store.db)
    .where(and(isPublicEpisode, show && eq(podcastEpisode.showId, show.id)))
    .orderBy(desc(content.date), desc(content.id))
    .limit(limit);
  return rows.map(({ episode, page }) => ({
    title: episodeTitle({ episode, page }, record),
    episode: page.id,
    config: call.addresses.rest(fillPath(routes.getPlayerEpisode.path, { id: page.id })),
    duration: formatPlayTime(parsePlayTime(episode.duration ?? '') ?? 0),
  }));
}

/** Lists the shows as terms, with the number of published episodes of each. */
export async function listShowTerms({ context }: AnyCall): Promise<z.input<(typeof routes.listShows)['response']>> {
  const rows = await context.store.db
    .select({ show: podcastShow, episodes: count(content.id) })
    .from(podcastShow)
    .leftJoin(podcastEpisode, eq(podcastEpisode.showId, podcastShow.id))
    .leftJoin(content, and(eq(content.id, podcastEpisode.contentId), eq(content.status, 'publish')))
    .groupBy(podcastShow.id)
    .orderBy(asc(podcastShow.title), asc(podcastShow.id));
  return rows.map(({ show, episodes }) => ({
    term_id: show.id,
    name: show.title,
    slug: show.slug,
    term_group: 0,
    term_taxonomy_id: show.id,
    taxonomy: 'shows',
    description: show.summary ?? '',
    parent: 0,
    count: episodes,
    filter: 'raw',
  }));
}
