import type { MiddlewareHandler } from 'hono';
import { eq } from 'drizzle-orm';
import {
  chapterFormat,
  chapterItems,
  chapterMimeType,
  toChapters,
  chaptersWithin,
  EPISODE_PAGE_TYPE,
  parsePlayTime,
  writeChapters,
  type Chapter,
  type createChapters,
  type deleteChapters,
  type getChapters,
  type replaceChapters,
} from '#contracts/podcast/index.ts';
import { findByUrl } from '#origin/platform/content/embeds/find-by-url.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { item, type ResultOf, type Call } from '#origin/platform/http/transport/index.ts';
import { loadEpisode, type EpisodeRequest } from './find-episode.ts';
import { podcastEpisode } from './tables.ts';
import { changeEpisode } from './change-episode.ts';

export async function handleGetChapters(call: Call<typeof getChapters>): Promise<ResultOf<typeof getChapters>> {
  const { episode } = await loadEpisode(call);
  return item({ chapters: chapterItems(episode.chapters), _version: 'v2' });
}

export async function handleCreateChapters(
  call: Call<typeof createChapters>,
): Promise<ResultOf<typeof createChapters>> {
  await setChapters(call, toChapters(call.body.chapters));
  return { status: 201, body: { status: 'ok' } };
}

export async function handleReplaceChapters(
  call: Call<typeof replaceChapters>,
): Promise<ResultOf<typeof replaceChapters>> {
  await setChapters(call, toChapters(call.body.chapters));
  return item({ status: 'ok' });
}

export async function handleDeleteChapters(
  call: Call<typeof deleteChapters>,
): Promise<ResultOf<typeof deleteChapters>> {
  await setChapters(call, []);
  return item({ status: 'ok' });
}

async function setChapters(call: EpisodeRequest, chapters: Chapter[]): Promise<void> {
  await changeEpisode(call, ({ episode }) =>
    chapters.length === 0 && episode.chapters.length === 0 ? {} : { episode: { chapters } },
  );
}

/** Handles `?chapters_format=` on the page of a public episode: sends its chapters as a file. */
export function serveChapterFiles(context: OriginContext): MiddlewareHandler {
  return async (c, next) => {
    const format = chapterFormat.safeParse(c.req.query('chapters_format'));
    if (!format.success) return next();
    const { pathname, search } = new URL(c.req.url);
    const found = await findByUrl(context, context.publicUrl, `${context.publicUrl}${pathname}${search}`);
    if (found?.row.type !== EPISODE_PAGE_TYPE || found.row.password !== '') return next();
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
