import { eq, inArray, or, sql } from 'drizzle-orm';
import { EPISODE_PAGE_TYPE } from '#contracts/podcast/index.ts';
import { episodePages } from '#origin/namespaces/podcast/episode-pages.ts';
import { PLAYER_OPTION } from '#origin/namespaces/podcast/player/player-options.ts';
import { PODCAST_OPTION } from '#origin/namespaces/podcast/podcast-record.ts';
import { podcastAsset, podcastEpisode, podcastFeed, podcastShow } from '#origin/namespaces/podcast/tables.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { option } from '#origin/platform/store/schema.ts';
import type { DemoPodcast } from './demo-content.ts';
import { podcastFiles, podcastUpload, showCover } from './demo-files.ts';
import type { ContentRow, RetainedRow } from './partition-demo.ts';
import { DEMO_PLAYER } from './seed-podcast.ts';

interface PodcastRemoval {
  kept: RetainedRow[];
  /** Unused paths below the uploads folder. */
  files: string[];
}

/**
 * Removes the episodes of removed pages. Also removes the podcast and its shows if no episode is left and the podcast
 * is unchanged.
 */
export async function removePodcast(
  tx: Transaction,
  demo: DemoPodcast,
  removedPages: readonly ContentRow[],
): Promise<PodcastRemoval> {
  const pages = removedPages.filter(({ type }) => type === EPISODE_PAGE_TYPE);
  for (const page of pages) await episodePages.remove?.(tx, page);
  const left = await tx.select({ slug: podcastEpisode.slug, poster: podcastEpisode.poster }).from(podcastEpisode);
  const [record] = await tx.select().from(option).where(eq(option.name, PODCAST_OPTION));
  const [main] = demo.shows;
  const { guid, title } = (record?.value ?? {}) as { guid?: string; title?: string | null };
  // Earlier versions of the demo had other guids.
  const isDemoPodcast = guid === main?.guid || title === main?.title;
  const isRemovable = isDemoPodcast && left.length === 0 && title === main?.title;
  if (isRemovable) await removeRecord(tx, demo);
  const isUsed = (path: string) =>
    (!isRemovable && demo.shows.some(({ language }) => showCover(language) === path)) ||
    left.some(({ slug, poster }) => poster?.endsWith(podcastUpload(path)) || (slug && path.includes(`/${slug}.`)));
  return {
    kept:
      isDemoPodcast && !isRemovable
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

/** Resets the podcast to an unused one. */
async function removeRecord(tx: Transaction, { shows }: DemoPodcast): Promise<void> {
  await tx.delete(option).where(eq(option.name, PODCAST_OPTION));
  await tx
    .delete(option)
    .where(sql`${option.name} = ${PLAYER_OPTION} and ${option.value} = ${JSON.stringify(DEMO_PLAYER)}::jsonb`);
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
