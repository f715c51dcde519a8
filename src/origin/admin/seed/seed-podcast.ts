import { eq, inArray } from 'drizzle-orm';
import { DEFAULT_CONFIG } from '#contracts/player/index.ts';
import { EPISODE_PAGE_TYPE, parsePlayTime, type Chapter } from '#contracts/podcast/index.ts';
import { PLAYER_OPTION } from '#origin/namespaces/podcast/player/player-options.ts';
import { createPodcastRecord, PODCAST_OPTION } from '#origin/namespaces/podcast/podcast-record.ts';
import {
  podcastAsset,
  podcastEpisode,
  podcastFeed,
  podcastMediaFile,
  podcastShow,
} from '#origin/namespaces/podcast/tables.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { toUtc } from '#contracts/site-clock.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, contentTerm, option, term } from '#origin/platform/store/schema.ts';
import { alignSequence, findAuthors } from './seed-demo.ts';
import { translationTag, type DemoContent, type DemoEpisode, type DemoPodcast } from './demo-content.ts';
import { episodeCover, episodeFiles, podcastUpload, showCover } from './demo-files.ts';

/** Modification time of the podcast itself. */
const WRITTEN = '2026-01-12T08:00:00.000Z';

/** Each episode has one file of each. */
const ASSETS = [
  { title: 'MP3 Audio', identifier: 'mp3', fileType: 'mp3', position: 0 },
  { title: 'Opus Audio', identifier: 'opus', fileType: 'opus', position: 1 },
  { title: 'Transcript', identifier: 'vtt', fileType: 'vtt', position: 2 },
] as const;

/** Apps that find a podcast by the address of its feed. Others need an id from their directory, which the demo lacks. */
export const DEMO_PLAYER = {
  configs: {
    default: {
      ...DEFAULT_CONFIG,
      'subscribe-button': {
        feed: 'mp3',
        clients: [
          { id: 'rss', service: null },
          { id: 'antenna-pod', service: null },
        ],
      },
    },
  },
};

/** Seeds shows, episodes with their pages and files, and the player, with fixed ids and dates. */
export async function seedPodcast(tx: Transaction, context: OriginContext, demo: DemoContent): Promise<void> {
  const { podcast, site, users } = demo;
  const { publicUrl } = context;
  const address = (path: string) => `${publicUrl}/uploads/${podcastUpload(path)}`;
  await seedRecord(tx, publicUrl, podcast, address);
  const assets = await seedAssets(tx);
  const tags = await seedTags(tx, podcast);
  const authors = await findAuthors(tx, users);

  const firstShow = await alignSequence(tx, podcastShow);
  const shows = podcast.shows.map(({ author, type, ...show }, i) => ({
    ...show,
    id: firstShow + i,
    slug: show.language,
    language: languageTag(show.language),
    image: address(showCover(show.language)),
    authorName: author,
    itunesType: type,
  }));
  await tx.insert(podcastShow).values(shows);
  await alignSequence(tx, podcastShow);

  const firstPage = await alignSequence(tx, content);
  const firstEpisode = await alignSequence(tx, podcastEpisode);
  const pages = podcast.episodes.map(({ slug, title, notes, language, published }, i) => {
    const date = published.replace('T', ' ');
    const dateGmt = toUtc(date, site.timezone);
    return {
      id: firstPage + i,
      type: EPISODE_PAGE_TYPE,
      status: 'publish',
      slug,
      title,
      content: notes.trim().replaceAll('{site}', publicUrl),
      authorId: authors.get(language) ?? 0,
      date,
      dateGmt,
      modified: date,
      modifiedGmt: dateGmt,
      guid: `${publicUrl}/${slug}/`,
      pingStatus: 'closed',
    };
  });
  await tx.insert(content).values(pages);
  await alignSequence(tx, content);
  const assigned = podcast.episodes.map(({ key }, i) => ({
    contentId: firstPage + i,
    termId: tags.get(translationTag(key)) ?? 0,
  }));
  await tx.insert(contentTerm).values(assigned);

  const episodes = podcast.episodes.map((episode, i) => ({
    ...episodeRow(episode, publicUrl),
    id: firstEpisode + i,
    contentId: firstPage + i,
    poster: address(episodeCover(episode.key)),
    showId: shows.find(({ slug }) => slug === episode.language)?.id ?? null,
  }));
  await tx.insert(podcastEpisode).values(episodes);
  await alignSequence(tx, podcastEpisode);
  await seedMediaFiles(tx, context, episodes, assets);
  await tx.insert(option).values({ name: PLAYER_OPTION, value: DEMO_PLAYER }).onConflictDoNothing();
}

/** The podcast takes over the texts of the first show, unless it has its own. */
async function seedRecord(
  tx: Transaction,
  publicUrl: string,
  { shows: [main] }: DemoPodcast,
  address: (path: string) => string,
): Promise<void> {
  if (!main) return;
  const { language, author, email, type, ...same } = main;
  const values = {
    ...same,
    language: languageTag(language),
    author_name: author,
    podcast_email: email,
    itunes_type: type,
    cover_image: address(showCover(language)),
    modified: WRITTEN,
  };
  for (const table of [podcastAsset, podcastFeed]) await alignSequence(tx, table);
  const record = await createPodcastRecord(tx, publicUrl, values);
  if (record.title !== null) return;
  const value = { ...record, ...values };
  await tx.update(option).set({ value }).where(eq(option.name, PODCAST_OPTION));
}

/** Language tag of podcasts: `de-DE`. */
function languageTag(language: string): string {
  return language.replace(/-\w+$/, (region) => region.toUpperCase());
}

/** @returns ids by extension */
async function seedAssets(tx: Transaction): Promise<Map<string, number>> {
  const known = await tx.select().from(podcastAsset);
  const missing = ASSETS.filter(({ fileType }) => !known.some((asset) => asset.fileType === fileType));
  await alignSequence(tx, podcastAsset);
  const added = missing.length > 0 ? await tx.insert(podcastAsset).values(missing).returning() : [];
  return new Map([...known, ...added].map(({ fileType, id }) => [fileType, id]));
}

/** Adds the tags that a store from before the podcast lacks. @returns ids by slug */
async function seedTags(tx: Transaction, { episodes }: DemoPodcast): Promise<Map<string, number>> {
  const slugs = [...new Set(episodes.map(({ key }) => translationTag(key)))];
  const known = await tx.select().from(term).where(inArray(term.slug, slugs));
  const missing = slugs.filter((slug) => !known.some((tag) => tag.slug === slug));
  await alignSequence(tx, term);
  const rows = missing.map((slug) => ({ taxonomy: 'post_tag' as const, slug, name: slug }));
  const added = rows.length > 0 ? await tx.insert(term).values(rows).returning() : [];
  return new Map([...known, ...added].map(({ slug, id }) => [slug, id]));
}

function episodeRow(episode: DemoEpisode, site: string) {
  const { guid, title, subtitle, summary, number, season, type, slug, duration, explicit, soundbite } = episode;
  const chapters = episode.chapters.map(({ start, title: heading, gtin, href, image }): Chapter => {
    const target = gtin === undefined ? href : `${site}/01/${gtin}`;
    return {
      startMs: parsePlayTime(start) ?? 0,
      title: heading,
      ...(target !== undefined && { href: target }),
      ...(image !== undefined && { image: `${site}/${image}` }),
    };
  });
  return {
    guid,
    title,
    subtitle,
    summary,
    number,
    season,
    type,
    slug,
    duration,
    explicit,
    chapters,
    slugFrozen: true,
    recordingDate: `${episode.recorded} 00:00:00`,
    soundbiteStart: soundbite.start,
    soundbiteDuration: soundbite.duration,
    soundbiteTitle: soundbite.title,
  };
}

async function seedMediaFiles(
  tx: Transaction,
  { files }: OriginContext,
  episodes: readonly { id: number; slug: string; duration: string }[],
  assets: ReadonlyMap<string, number>,
): Promise<void> {
  await alignSequence(tx, podcastMediaFile);
  const rows = [];
  for (const { id: episodeId, slug, duration } of episodes)
    for (const path of episodeFiles(slug)) {
      const file = await files.uploads.open(podcastUpload(path));
      await file?.close();
      const extension = path.slice(path.lastIndexOf('.') + 1);
      rows.push({
        episodeId,
        assetId: assets.get(extension) ?? 0,
        size: file?.bytes ?? 0,
        durationMs: extension === 'vtt' ? null : (parsePlayTime(duration) ?? null),
      });
    }
  await tx.insert(podcastMediaFile).values(rows);
}
