import path from 'node:path';
import { z } from 'zod';
import { downloadFile } from '#client/download-file.ts';
import { upstreamError, type UpstreamResult } from '#client/upstream-result.ts';
import {
  episodeImport,
  podcastImport,
  type EpisodeImport,
  type PodcastImport,
  type ShowImport,
  type ImportRecord,
} from '#contracts/import.ts';
import {
  toWirePath,
  type RouteDeclaration,
  type RouteParams,
  type RouteQueryInput,
  type RouteResponse,
} from '#contracts/index.ts';
import { getPlayerOptions } from '#contracts/player/routes.ts';
import {
  episodePageRoutes,
  getChapters,
  getEpisode,
  listEpisodeMedia,
  listEpisodes,
} from '#contracts/podcast/episode-routes.ts';
import { lenientChapter, MAX_CHAPTERS, type ChapterItem } from '#contracts/podcast/chapter.ts';
import { getPodcast, listPodcastShows } from '#contracts/podcast/record.ts';
import { normalizeWebAddress } from '#contracts/podcast/shared-schemas.ts';
import { parseItems } from '#contracts/podcast/transcript.ts';
import { fileName, isAllowedFileAddress } from './destination.ts';
import { importAuthors } from './import-articles.ts';
import type { ImportRun } from './connect-site.ts';
import { sendRecords, type SourceRow } from './send-records.ts';

/** A site has exactly one podcast. */
const ONLY = 1;

/** Two days of audio at the highest bit rate. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;
const MAX_COVER_BYTES = 20 * 1024 ** 2;
const FILE_DEADLINE_MS = 60 * 60_000;
const FILE_RETRIES = 3;

const EPISODES_AT_ONCE = 4;

type Kind = 'podcast' | 'show' | 'episode';

/** Copies the site's podcast, if any: its record, player, shows, and episodes with pages and files. */
export async function importPodcast(run: ImportRun): Promise<void> {
  const { listed, namespaces } = run.site;
  if (!listed.includes(toWirePath('podcast/v2', namespaces))) return;
  const podcast = await read(run, { ...getPodcast, response: podcastImport.shape.podcast }, 'podcast', 'the podcast');
  const list = await read(run, listEpisodes, 'episode', 'the list of episodes', { query: { status: 'all' } });
  const ids = list?.results.map(({ id }) => id) ?? [];
  // Every site of this kind has a podcast record. This one is unused.
  if (podcast?.title === null && ids.length === 0) return;
  run.report.found('podcast', 1);
  if (podcast) await copyPodcast(run, podcast);
  await copyShows(run);
  await copyEpisodes(run, ids);
}

async function copyPodcast(run: ImportRun, podcast: PodcastImport['podcast']): Promise<void> {
  const options = await run.client.call({ ...getPlayerOptions, response: podcastImport.shape.player.unwrap() });
  if (options.kind !== 'ok') run.report.note('podcast', 'the settings of the player are not shown', []);
  const player = options.kind === 'ok' ? options.value.body : undefined;
  const row = { id: ONLY, slug: podcast.title ?? '', podcast, ...(player && { player }) };
  await sendRecords<SourceRow & PodcastImport>([row], {
    ...run,
    kind: 'podcast',
    complete: async () => ({ files: await fetchFiles(run, 'podcast', [podcast.poster], MAX_COVER_BYTES) }),
  });
}

/** Servers of other versions have no shows, or none that are public. */
async function copyShows(run: ImportRun): Promise<void> {
  const response = await run.client.call(listPodcastShows);
  if (response.kind === 'gone') return;
  if (response.kind !== 'ok') return reportMissing(run, 'show', response, 'the shows');
  const shows = response.value.body.results;
  run.report.found('show', shows.length);
  await sendRecords<SourceRow & ShowImport>(
    shows.map((show) => ({ id: show.id, slug: show.slug, show })),
    {
      ...run,
      kind: 'show',
      complete: async ({ show }) => ({ files: await fetchFiles(run, 'show', [show.image], MAX_COVER_BYTES) }),
    },
  );
}

async function copyEpisodes(run: ImportRun, ids: readonly number[]): Promise<void> {
  run.report.found('episode', ids.length);
  for (let start = 0; start < ids.length; start += EPISODES_AT_ONCE) {
    const batchIds = ids.slice(start, start + EPISODES_AT_ONCE);
    const found = (await Promise.all(batchIds.map((id) => readEpisode(run, id)))).flat();
    const pages = found.map(({ page }) => page);
    await importAuthors(run, pages);
    await sendRecords(found, {
      ...run,
      kind: 'episode',
      batch: 1,
      complete: async ({ media, episode }) => {
        const covers = await fetchFiles(run, 'episode', [episode.episode_poster], MAX_COVER_BYTES);
        const urls = media.map(({ url }) => url);
        return { files: [...covers, ...(await fetchFiles(run, 'episode', urls, MAX_FILE_BYTES))] };
      },
    });
    run.progress('episode', ids.length);
  }
}

/** Reads an episode. Its ID is that of its page, which comments refer to. */
async function readEpisode(run: ImportRun, id: number): Promise<(SourceRow & EpisodeImport)[]> {
  const { episode: contract, page: pageContract } = episodeImport.shape;
  const input = { params: { id } };
  const name = `episode ${id}`;
  const episode = await read(run, { ...getEpisode, response: contract }, 'episode', name, input);
  if (!episode) return [];
  const [chapters, media, page] = await Promise.all([
    read(run, { ...getChapters, response: anyChapters }, 'episode', `the chapters of ${name}`, input),
    read(run, listEpisodeMedia, 'episode', `the files of ${name}`, input),
    read(run, { ...episodePageRoutes.get, response: pageContract }, 'episode', `the page of ${name}`, {
      params: { id: episode.post_id },
      query: { context: 'edit' },
    }),
  ]);
  if (!chapters || !media || !page) return [];
  const offered = media.results.flatMap((row) =>
    'url' in row ? [{ asset: row.asset, url: row.url, size: row.size }] : [],
  );
  const { slug } = page;
  return [{ id: page.id, slug, episode, page, chapters: readChapters(run, chapters.chapters, name), media: offered }];
}

/** Chapters are parsed one by one, so that an invalid one doesn't cost the episode. */
const anyChapters = z.object({ chapters: z.array(z.unknown()) });

function readChapters({ report }: ImportRun, items: readonly unknown[], name: string): ChapterItem[] {
  if (items.length > MAX_CHAPTERS)
    report.lose('episode', `only its first ${MAX_CHAPTERS} chapters were imported`, [name]);
  return parseItems(items.slice(0, MAX_CHAPTERS), 'chapters', lenientChapter, (chapter) => [chapter]).flatMap(
    (read) => {
      if (!('problem' in read)) return read;
      report.lose('episode', `a chapter does not match the interface: ${read.field} ${read.problem}`, [name]);
      return [];
    },
  );
}

/**
 * Reads a response. A refused or invalid one is skipped and reported.
 *
 * @throws SortimentError if the site is unreachable
 */
async function read<R extends RouteDeclaration>(
  run: ImportRun,
  route: R,
  kind: Kind,
  name: string,
  input: { params?: RouteParams<R>; query?: RouteQueryInput<R> } = {},
): Promise<RouteResponse<R> | undefined> {
  const response = await run.client.call(route, input as never);
  if (response.kind === 'ok') return response.value.body as RouteResponse<R>;
  reportMissing(run, kind, response, name);
  return undefined;
}

function reportMissing(
  { report }: ImportRun,
  kind: Kind,
  response: Exclude<UpstreamResult<unknown>, { kind: 'ok' }>,
  name: string,
) {
  if (response.kind === 'unavailable' || response.kind === 'throttled') throw upstreamError(response);
  const reason =
    response.kind === 'unreadable'
      ? `does not match the interface: ${response.problems.map(({ field, problem }) => `${field} ${problem}`.trim()).join(', ')}`
      : response.kind === 'unauthorised'
        ? 'is not shown to this account'
        : `was not found: ${response.detail}`;
  report.leave(kind, reason, [name]);
}

/** Fetches files from allowed addresses. A failed file is skipped and reported. */
async function fetchFiles(
  run: ImportRun,
  kind: Kind,
  addresses: readonly (string | null)[],
  maxBytes: number,
): Promise<NonNullable<ImportRecord['files']>> {
  const files = [];
  for (const address of new Set(addresses)) {
    if (!address) continue;
    const lose = (problem: string) => run.report.lose(kind, `a file was not copied: ${problem}`, [address]);
    const url = normalizeWebAddress(address);
    if (url === undefined) {
      lose('its address is not a web address');
      continue;
    }
    if (!isAllowedFileAddress(url, run.hosts)) {
      lose(`it is on another host, allow it with --files-from: ${new URL(url).origin}`);
      continue;
    }
    const fetched = await downloadFile({
      transport: run.transport,
      folder: run.folder,
      address: url,
      accept: '*/*',
      maxBytes,
      deadlineMs: FILE_DEADLINE_MS,
      retries: FILE_RETRIES,
      hostsOption: '--files-from',
      mayFollow: ({ href }) => isAllowedFileAddress(href, run.hosts),
      credential: run.credentialFor(address),
      validators: undefined,
      isSame: () => false,
      check: () => Promise.resolve(undefined),
    });
    if (fetched.outcome === 'whole') files.push({ staged: path.basename(fetched.file), name: fileName(url), address });
    else lose(`it could not be fetched: ${fetched.outcome === 'failed' ? fetched.problem : 'it is empty'}`);
  }
  return files;
}
