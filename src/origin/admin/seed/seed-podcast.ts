import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { basename } from 'node:path/posix';
import { eq, inArray } from 'drizzle-orm';
import { DEFAULT_CONFIG } from '#contracts/player/index.ts';
import { EPISODE_PAGE_TYPE, parsePlayTime, type Chapter } from '#contracts/podcast/index.ts';
import { EPISODE_FILES_FOLDER } from '#origin/namespaces/podcast/media/assets.ts';
import { PLAYER_OPTION } from '#origin/namespaces/podcast/player/player-options.ts';
import { beginPodcast, PODCAST_OPTION } from '#origin/namespaces/podcast/record.ts';
import {
  podcastAsset,
  podcastEpisode,
  podcastFeed,
  podcastMediaFile,
  podcastShow,
} from '#origin/namespaces/podcast/tables.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { toUtc } from '#origin/platform/site/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content, contentTerm, option, term, user } from '#origin/platform/store/schema.ts';
import { alignIds } from './align-ids.ts';
import type { DemoContent } from './demo-content.ts';
import type { DemoPodcast, DemoShow, DemoTranslation } from './demo-podcast.ts';

/** When the podcast itself was written. */
const WRITTEN = '2026-01-12T08:00:00.000Z';

/** Kinds of files that each episode has one of, by the extension of their names. */
const ASSETS = [
  { title: 'MP3 Audio', identifier: 'mp3', fileType: 'mp3', position: 0 },
  { title: 'Opus Audio', identifier: 'opus', fileType: 'opus', position: 1 },
  { title: 'Transcript', identifier: 'vtt', fileType: 'vtt', position: 2 },
] as const;

/** Copies audio, transcripts and covers to the files of the origin; existing ones stay. */
export async function copyPodcastFiles(
  folder: string,
  podcast: DemoPodcast,
  { files }: Pick<OriginContext, 'files'>,
): Promise<void> {
  for (const path of podcastFiles(podcast)) {
    const target = uploadOf(path);
    if (!(await files.uploads.has(target))) await files.uploads.put(target, await readFile(join(folder, path)));
  }
}

/** Paths of all files, below the folder of the demo's podcast. */
export function podcastFiles({ shows, episodes }: DemoPodcast): string[] {
  const all = [
    ...shows.map(({ cover }) => cover),
    ...episodes.flatMap(({ episode }) => [episode.cover, episode.transcript, ...episode.audio.map(({ file }) => file)]),
  ];
  return [...new Set(all)];
}

/** Path of a file below the uploads folder: episode files by their names, covers in their own folder. */
export function uploadOf(path: string): string {
  return `${EPISODE_FILES_FOLDER}/${path.startsWith('covers/') ? path : basename(path)}`;
}

/** Seeds shows, episodes with their pages and files, and the player, with fixed ids and dates as all of the demo. */
export async function seedPodcast(tx: Transaction, context: OriginContext, demo: DemoContent): Promise<void> {
  const { podcast, site } = demo;
  const address = (path: string) => `${context.publicUrl}/uploads/${uploadOf(path)}`;
  const [main] = podcast.shows;
  if (!main) return;
  const values = { ...recordOf(main), cover_image: address(main.cover), modified: WRITTEN };
  for (const table of [podcastAsset, podcastFeed]) await alignIds(tx, table);
  const record = await beginPodcast(tx, context.publicUrl, values);
  // It was begun before, and nothing was written of it.
  if (record.title === null)
    await tx
      .update(option)
      .set({ value: { ...record, ...values } })
      .where(eq(option.name, PODCAST_OPTION));
  const assets = await seedAssets(tx);
  const shows = await seedShows(tx, podcast.shows, address);
  const tags = await seedTags(tx, podcast);
  const authors = await findAuthors(tx, demo);

  const firstId = await alignIds(tx, content);
  const pages = podcast.episodes.map(({ language, episode: { slug, title, notes, published } }, i) => {
    const date = published.replace('T', ' ');
    const dateGmt = toUtc(date, site.timezone);
    return {
      id: firstId + i,
      type: EPISODE_PAGE_TYPE,
      status: 'publish',
      slug,
      title,
      content: notes.trim().replaceAll('{site}', context.publicUrl),
      authorId: authors.get(language) ?? 0,
      date,
      dateGmt,
      modified: date,
      modifiedGmt: dateGmt,
      guid: `${context.publicUrl}/${slug}/`,
      pingStatus: 'closed',
    };
  });
  await tx.insert(content).values(pages);
  await alignIds(tx, content);
  await tx
    .insert(contentTerm)
    .values(podcast.episodes.map(({ key }, i) => ({ contentId: firstId + i, termId: tags.get(tagOf(key)) ?? 0 })));

  const firstEpisode = await alignIds(tx, podcastEpisode);
  await tx.insert(podcastEpisode).values(
    podcast.episodes.map((translation, i) => ({
      ...episodeOf(translation, context.publicUrl),
      id: firstEpisode + i,
      contentId: firstId + i,
      poster: address(translation.episode.cover),
      showId: shows.get(translation.language) ?? null,
    })),
  );
  await alignIds(tx, podcastEpisode);
  await seedMediaFiles(tx, context, podcast.episodes, firstEpisode, assets);
  await tx.insert(option).values({ name: PLAYER_OPTION, value: PLAYER }).onConflictDoNothing();
}

/** Apps that find a podcast by the address of its feed. Others know it by an id of theirs, which the demo has not. */
export const PLAYER = {
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

function recordOf(show: DemoShow) {
  return {
    guid: show.guid,
    title: show.title,
    subtitle: show.subtitle,
    summary: show.summary,
    itunes_type: show.type,
    author_name: show.author,
    podcast_email: show.owner.email,
    explicit: show.explicit,
    copyright: show.copyright,
    category: show.category,
    language: languageTag(show.language),
    funding_url: orNull(show.funding.url),
    funding_label: orNull(show.funding.label),
    license_name: orNull(show.license.name),
    license_url: orNull(show.license.url),
  };
}

const orNull = (text: string) => (text === '' ? null : text);

/** A language as podcasts name it: `de-DE`. */
function languageTag(language: string): string {
  return language.replace(/-\w+$/, (region) => region.toUpperCase());
}

/** A show's slug is its language. */
async function seedShows(
  tx: Transaction,
  shows: readonly DemoShow[],
  address: (path: string) => string,
): Promise<Map<string, number>> {
  const firstId = await alignIds(tx, podcastShow);
  await tx.insert(podcastShow).values(
    shows.map((show, i) => {
      const {
        itunes_type,
        author_name,
        podcast_email,
        funding_url,
        funding_label,
        license_name,
        license_url,
        ...rest
      } = recordOf(show);
      return {
        ...rest,
        id: firstId + i,
        slug: show.language,
        image: address(show.cover),
        itunesType: itunes_type,
        authorName: author_name,
        email: podcast_email,
        fundingUrl: funding_url,
        fundingLabel: funding_label,
        licenseName: license_name,
        licenseUrl: license_url,
      };
    }),
  );
  await alignIds(tx, podcastShow);
  return new Map(shows.map(({ language }, i) => [language, firstId + i]));
}

/** @returns ids by extension */
async function seedAssets(tx: Transaction): Promise<Map<string, number>> {
  const known = await tx.select().from(podcastAsset);
  const missing = ASSETS.filter(({ fileType }) => !known.some((asset) => asset.fileType === fileType));
  const firstId = await alignIds(tx, podcastAsset);
  if (missing.length > 0)
    await tx.insert(podcastAsset).values(missing.map((asset, i) => ({ ...asset, id: firstId + i })));
  await alignIds(tx, podcastAsset);
  const all = await tx.select().from(podcastAsset);
  return new Map(all.map(({ fileType, id }) => [fileType, id]));
}

const tagOf = (key: string) => `translation-${key}`;

/** Tags that tie translations together. A store from before the podcast lacks them. @returns ids by slug */
async function seedTags(tx: Transaction, { episodes }: DemoPodcast): Promise<Map<string, number>> {
  const slugs = [...new Set(episodes.map(({ key }) => tagOf(key)))];
  const firstId = await alignIds(tx, term);
  const rows = slugs.map((slug, i) => ({ id: firstId + i, taxonomy: 'post_tag', slug, name: slug }));
  await tx
    .insert(term)
    .values(rows)
    .onConflictDoNothing({ target: [term.taxonomy, term.slug] });
  await alignIds(tx, term);
  const found = await tx.select().from(term).where(inArray(term.slug, slugs));
  return new Map(found.map(({ slug, id }) => [slug, id]));
}

/** Editorial accounts by their language. */
async function findAuthors(tx: Transaction, { users }: DemoContent): Promise<Map<string, number>> {
  const logins = users.map(({ login }) => login);
  const found = await tx.select({ id: user.id, login: user.login }).from(user).where(inArray(user.login, logins));
  return new Map(users.map(({ language, login }) => [language, found.find((row) => row.login === login)?.id ?? 0]));
}

function episodeOf({ episode }: DemoTranslation, site: string) {
  const chapters = episode.chapters.map(({ start, title, gtin, href, image }): Chapter => {
    const target = gtin === undefined ? href : `${site}/01/${gtin}`;
    return {
      startMs: parsePlayTime(start) ?? 0,
      title,
      ...(target === undefined ? {} : { href: target }),
      ...(image === undefined ? {} : { image: `${site}/${image}` }),
    };
  });
  return {
    guid: episode.guid,
    title: episode.title,
    subtitle: episode.subtitle,
    summary: episode.summary,
    number: episode.number,
    season: episode.season,
    type: episode.type,
    slug: episode.slug,
    slugFrozen: true,
    duration: episode.duration,
    recordingDate: `${episode.recorded} 00:00:00`,
    explicit: episode.explicit,
    soundbiteStart: episode.soundbite.start,
    soundbiteDuration: episode.soundbite.duration,
    soundbiteTitle: episode.soundbite.title,
    chapters,
  };
}

async function seedMediaFiles(
  tx: Transaction,
  { files }: OriginContext,
  episodes: readonly DemoTranslation[],
  firstEpisode: number,
  assets: ReadonlyMap<string, number>,
): Promise<void> {
  const firstId = await alignIds(tx, podcastMediaFile);
  const rows = [];
  for (const [i, { episode }] of episodes.entries())
    for (const path of [...episode.audio.map(({ file }) => file), episode.transcript]) {
      const isAudio = path !== episode.transcript;
      const file = await files.uploads.open(uploadOf(path));
      await file?.close();
      rows.push({
        id: firstId + rows.length,
        episodeId: firstEpisode + i,
        assetId: assets.get(path.slice(path.lastIndexOf('.') + 1)) ?? 0,
        size: file?.bytes ?? 0,
        durationMs: isAudio ? (parsePlayTime(episode.duration) ?? null) : null,
        active: true,
      });
    }
  await tx.insert(podcastMediaFile).values(rows);
  await alignIds(tx, podcastMediaFile);
}
