import { eq, inArray, or, sql } from 'drizzle-orm';
import { EPISODE_PAGE_TYPE } from '#contracts/podcast/index.ts';
import { episodePages } from '#origin/namespaces/podcast/episode-pages.ts';
import { PLAYER_OPTION } from '#origin/namespaces/podcast/player/player-options.ts';
import { PODCAST_OPTION } from '#origin/namespaces/podcast/record.ts';
import { podcastAsset, podcastEpisode, podcastFeed, podcastShow } from '#origin/namespaces/podcast/tables.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { option } from '#origin/platform/store/schema.ts';
import type { DemoPodcast } from './demo-content.ts';
import { podcastFiles, podcastUpload, showCover } from './demo-files.ts';
import type { ContentRow, Kept } from './find-unused-demo.ts';
import { PLAYER } from './seed-podcast.ts';

interface PodcastRemoval {
  kept: Kept[];
  /** Paths below the uploads folder that nothing uses any more. */
  files: string[];
}

/**
 * Removes the episodes of pages that go, and the podcast with its shows once no episode is left, if it is still as the
 * demo wrote it.
 */
export async function removePodcast(
  tx: Transaction,
  demo: DemoPodcast,
  goingPages: readonly ContentRow[],
): Promise<PodcastRemoval> {
  const pages = goingPages.filter(({ type }) => type === EPISODE_PAGE_TYPE);
  for (const page of pages) await episodePages.remove?.(tx, page);
  const left = await tx.select({ slug: podcastEpisode.slug, poster: podcastEpisode.poster }).from(podcastEpisode);
  const [record] = await tx.select().from(option).where(eq(option.name, PODCAST_OPTION));
  const [main] = demo.shows;
  const { guid, title } = (record?.value ?? {}) as { guid?: string; title?: string | null };
  // The guids of earlier versions of the demo were other ones.
  const isOurs = guid === main?.guid || title === main?.title;
  const goes = isOurs && left.length === 0 && title === main?.title;
  if (goes) await removeRecord(tx, demo);
  const isUsed = (path: string) =>
    (!goes && demo.shows.some(({ language }) => showCover(language) === path)) ||
    left.some(({ slug, poster }) => poster?.endsWith(podcastUpload(path)) || (slug && path.includes(`/${slug}.`)));
  return {
    kept:
      isOurs && !goes
        ? [
            {
              what: 'podcast',
              id: guid ?? '',
              name: title ?? '',
              why: left.length > 0 ? 'it has episodes' : 'it was changed',
            },
          ]
        : [],
    files: podcastFiles(demo)
      .filter((path) => !isUsed(path))
      .map(podcastUpload),
  };
}

/** Resets the podcast to an untouched one. */
async function removeRecord(tx: Transaction, { shows }: DemoPodcast): Promise<void> {
  await tx.delete(option).where(eq(option.name, PODCAST_OPTION));
  await tx
    .delete(option)
    .where(sql`${option.name} = ${PLAYER_OPTION} and ${option.value} = ${JSON.stringify(PLAYER)}::jsonb`);
  await tx.delete(podcastFeed);
  await tx.delete(podcastAsset);
  const isDemo = or(
    inArray(
      podcastShow.guid,
      shows.map(({ guid }) => guid),
    ),
    inArray(
      podcastShow.title,
      shows.map(({ title }) => title),
    ),
  );
  await tx.delete(podcastShow).where(isDemo);
}
