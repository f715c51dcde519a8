import { z } from 'zod';
import { looseInteger, normalizeWebAddress } from '../podcast/shared-schemas.ts';
import {
  episode,
  episodeFile,
  episodeV1,
  type EpisodeFile,
  INTERNAL_EPISODE_FIELDS,
  soundbiteProblem,
} from '../podcast/episode.ts';
import {
  episodePage,
  episodePageRoutes,
  type EpisodePage,
  getEpisode,
  getEpisodeV1,
  listEpisodes,
} from '../podcast/episode-routes.ts';
import { chaptersWithin, describeLateChapter, lenientChapter, MAX_CHAPTERS, sortByStart } from '../podcast/chapter.ts';
import { getPodcast, podcast, parseDisplayLanguage, listPodcastShows, podcastShow } from '../podcast/record.ts';
import { parseLenientPlayTime, shortPlayTime } from '../podcast/play-time.ts';
import { parseItems } from '../podcast/transcript.ts';
import { getPlayerSetup } from '../player/routes.ts';
import { playerConfig } from '../player/config.ts';
import { fillPath, readRoute } from '../route.ts';
import type { DraftRecord } from './draft.ts';
import { nameQuotedByAddress } from './article.ts';
import {
  toUtc,
  type FileReference,
  type SyncedKind,
  type TextConverters,
  type RowWarningReporter,
} from './synced-kind.ts';

/** Shared fields of podcasts and shows. Texts are plain; unset ones are empty. */
interface Series {
  id: number;
  guid: string;
  title: string;
  subtitle: string;
  summary: string;
  author: string;
  email: string;
  /** URL of the cover. */
  cover: string | undefined;
  /** Language code of the server, such as `de-DE`. */
  language: string | undefined;
  /** Category as shown in directories: `Arts > Books`. */
  category: string;
  type: 'episodic' | 'serial' | undefined;
  explicit: boolean;
  copyright: string;
  funding: { url: string; label: string } | undefined;
  license: { name: string; url: string } | undefined;
}

export interface PodcastRecord extends Series {
  link: string;
}

/** A show: the episodes of a podcast in one language. Empty values are inherited from the podcast. */
export interface ShowRecord extends Series {
  slug: string;
}

export interface EpisodeRecord {
  id: number;
  /** Id of its page; differs from that of the episode. */
  page: number;
  /** Slug of its page. */
  slug: string;
  link: string;
  guid: string;
  title: string;
  /** Title in the list, if the site prepends the number. */
  listed?: string;
  number: number | undefined;
  season: number | undefined;
  type: 'full' | 'trailer' | 'bonus';
  subtitle: string;
  summary: string;
  /** Sanitised; URLs are absolute. */
  html: string;
  /** ISO, UTC. */
  published: string;
  /** Last change of its page, ISO, UTC; undefined if the site doesn't expose its pages. */
  modified?: string;
  /** Date of the recording. */
  recorded: string | undefined;
  durationMs: number;
  explicit: boolean;
  /** URL of the episode image. */
  cover: string | undefined;
  /** URL of the image shown by the site: that of the episode or the podcast, often scaled down. */
  poster: string | undefined;
  /** Id of the author. */
  author: number | undefined;
  /** Id of the media item. */
  featuredMedia: number | undefined;
  /** Best quality first. */
  audio: { url: string; bytes: number; mimeType: string }[];
  /** URLs. */
  transcripts: string[];
  /** In order of time. */
  chapters: { startMs: number; title: string; href?: string; image?: string }[];
  soundbite: { startMs: number; durationMs: number; title: string } | undefined;
  license: { name: string; url: string } | undefined;
  /** Slug of its show; empty for none. */
  show: string;
  /** Ids. */
  tags: number[];
  draft?: DraftRecord;
}

/** Podcast apps offered by the player. */
export interface PlayerRecord {
  id: number;
  clients: { id: string; service: string }[];
}

/** Id of the only podcast of a site. */
const PODCAST_ID = 1;

export const PODCAST: SyncedKind<PodcastRecord> = {
  kind: 'podcast',
  noun: 'podcast',
  list: {
    ...getPodcast,
    response: podcast.omit({ _version: true, mnemonic: true, feeds: true }),
  },
  rows: (body: object) => [{ ...body, id: PODCAST_ID }],
  changes: 'by digest',
  project: (row: z.output<typeof podcast> & { id: number }, texts, warn) => ({
    ...projectSeries({ ...row, image: row.poster }, texts, warn),
    language: parseDisplayLanguage(row.language),
    link: row.link,
  }),
  references: ({ cover }) => imagesOf(cover),
};

/** Other servers may omit fields of a show. */
const showRow = podcastShow.partial().required({ id: true, slug: true });

/** Optional on servers of this interface. */
export const SHOW: SyncedKind<ShowRecord> = {
  kind: 'show',
  noun: 'show',
  list: { ...listPodcastShows, response: z.object({ results: z.array(showRow) }) },
  rows: ({ results }: { results: { id: number }[] }) => results,
  mayLack: true,
  changes: 'by digest',
  project: (row: z.output<typeof showRow>, texts, warn) => ({
    ...projectSeries(row, texts, warn),
    slug: row.slug,
    language: row.language || undefined,
  }),
  references: ({ cover }) => imagesOf(cover),
};

export const PLAYER: SyncedKind<PlayerRecord> = {
  kind: 'player',
  noun: 'player',
  list: readRoute(fillPath(getPlayerSetup.path, { config: 'default', theme: 'default' }), 'public', {
    summary: getPlayerSetup.summary,
    response: z.object({ 'subscribe-button': playerConfig.shape['subscribe-button'].nullable() }),
  }),
  rows: (body: object) => [{ ...body, id: PODCAST_ID }],
  mayLack: true,
  changes: 'by digest',
  project: (row: { id: number; 'subscribe-button': z.output<typeof playerConfig>['subscribe-button'] | null }) => ({
    id: row.id,
    clients: (row['subscribe-button']?.clients ?? []).map(({ id, service }) => ({ id, service: service ?? '' })),
  }),
};

const episodeV2Row = episode.omit({ ...INTERNAL_EPISODE_FIELDS, slug: true, slug_frozen: true }).extend({
  season: looseInteger.nullish(),
  // Items are parsed one by one, so that an invalid one doesn't discard the episode.
  audio: z.array(z.unknown()),
  files: z.array(z.unknown()),
  publicationDate: z.string().refine((text) => !Number.isNaN(Date.parse(text)), { error: 'is not a date' }),
});
const episodeV1Row = episodeV1.pick({ slug: true, content: true }).extend({ chapters: z.array(z.unknown()) });
const episodePageRow = episodePage.pick({
  id: true,
  status: true,
  content: true,
  modified_gmt: true,
  author: true,
  featured_media: true,
  tags: true,
});

interface EpisodeRow extends z.output<typeof episodeV2Row> {
  v1: z.output<typeof episodeV1Row>;
  page?: Pick<EpisodePage, keyof typeof episodePageRow.shape>;
}

/** An episode with its page; changes of either count. */
export const EPISODE: SyncedKind<EpisodeRecord> = {
  kind: 'episode',
  noun: 'episode',
  list: listEpisodes,
  rows: ({ results }: { results: { id: number }[] }) => results,
  item: { ...getEpisode, response: episodeV2Row },
  also: { v1: { ...getEpisodeV1, response: episodeV1Row } },
  page: {
    list: { ...episodePageRoutes.list, response: z.array(episodePageRow) },
    idInRow: (row: EpisodeRow) => row.post_id,
    idInRecord: ({ page }) => page,
  },
  changes: 'by page',
  // Images, titles and files of episodes depend on the podcast and its shows.
  dependsOn: ['podcast', 'show'],
  isListedAs: ({ title, listed = title }, row: { title: string }, texts) => listed === texts.plain(row.title),
  project: projectEpisode,
  references: ({ html, cover, poster, audio, transcripts, chapters }, filesIn) => [
    ...filesIn(html),
    ...imagesOf(cover, poster, ...chapters.map(({ image }) => image)),
    ...audio.map(({ url }) => ({ address: url, kind: 'audio' })),
    ...transcripts.map((address) => ({ address, kind: 'transcript' })),
  ],
};

function projectEpisode(
  { v1, page, ...row }: EpisodeRow,
  texts: TextConverters,
  warn: RowWarningReporter,
): EpisodeRecord | undefined {
  if (page && (page.status !== 'publish' || page.content.protected)) return undefined;
  const listed = texts.plain(row.title);
  const title = texts.plain(row.title_clean || row.title);
  const durationMs = readTime('duration', row.duration, warn) ?? 0;
  const files = readFiles('files', row.files, warn);
  return {
    id: row.id,
    page: row.post_id,
    slug: v1.slug,
    link: row.link,
    guid: row.guid,
    title,
    ...(listed !== title && { listed }),
    number: row.number ?? undefined,
    season: row.season ?? undefined,
    type: row.type,
    subtitle: texts.plain(row.subtitle),
    summary: texts.plain(row.summary),
    html: nameQuotedByAddress(texts.html(page?.content.rendered ?? v1.content, row.link), row.link),
    published: texts.time(row.publicationDate),
    ...(page && { modified: toUtc(page.modified_gmt) }),
    recorded: dayOf(row.recording_date ?? ''),
    durationMs,
    explicit: row.explicit,
    cover: readAddress('episode_poster', row.episode_poster, warn),
    poster: readAddress('poster', row.poster, warn),
    author: page?.author,
    featuredMedia: page?.featured_media || undefined,
    audio: audioOf(readFiles('audio', row.audio, warn), files),
    transcripts: transcriptsOf(files),
    chapters: chaptersIn(v1.chapters, { link: row.link, durationMs }, texts, warn),
    soundbite: soundbiteOf(row, texts, warn),
    license: licenseOf(row, warn),
    show: row.show,
    tags: page?.tags ?? [],
  };
}

/** Returns the date at the start of a text, if valid. */
function dayOf(text: string): string | undefined {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? [];
  return day === undefined || Number.isNaN(Date.parse(day)) ? undefined : day;
}

function readTime(field: string, text: string | null, warn: RowWarningReporter): number | undefined {
  if (!text) return undefined;
  const ms = parseLenientPlayTime(text);
  if (ms === undefined) warn(field, 'is not a play time such as 01:02:03.456', text);
  return ms;
}

/** Returns a normalized URL; undefined for an empty or invalid one. */
function readAddress(field: string, text: string | null | undefined, warn: RowWarningReporter): string | undefined {
  if (!text) return undefined;
  const address = normalizeWebAddress(text);
  if (address === undefined) warn(field, 'is not a web address such as https://example.org/', text);
  return address;
}

/** Parses list items one by one, and reports invalid ones. */
function readList<T extends z.ZodType>(
  name: string,
  items: readonly unknown[],
  schema: T,
  warn: RowWarningReporter,
): { item: z.output<T>; field: string }[] {
  return parseItems(items, name, schema, (item, i) => ({ item, field: `${name}[${i}]` })).flatMap((read) => {
    if (!('problem' in read)) return [read];
    warn(read.field, read.problem);
    return [];
  });
}

function readFiles(name: string, items: readonly unknown[], warn: RowWarningReporter): EpisodeFile[] {
  return readList(name, items, episodeFile, warn).flatMap(({ item, field }) => {
    const url = readAddress(`${field}.url`, item.url, warn);
    return url === undefined ? [] : [{ ...item, url }];
  });
}

/** Returns the playable files or, if the site plays video, the downloadable audio files. */
function audioOf(...lists: readonly (readonly EpisodeFile[])[]): EpisodeRecord['audio'] {
  const playable = lists.map((list) => list.filter(({ mimeType, size }) => mimeType.startsWith('audio/') && size > 0));
  return (playable.find((list) => list.length > 0) ?? []).map(({ url, size, mimeType }) => ({
    url,
    // A size of 1 means that the size is unknown.
    bytes: size > 1 ? size : 0,
    mimeType,
  }));
}

/** Lists WebVTT and SubRip first, because JSON files may be anything. */
function transcriptsOf(files: readonly EpisodeFile[]): string[] {
  const captions = files.filter((file) => matchesType(file, /^text\/vtt|subrip|^application\/srt/, /\.(?:vtt|srt)$/i));
  const json = files.filter(
    (file) => matchesType(file, /^application\/json/, /\.json$/i) && /trans[ck]rip/i.test(`${file.title} ${file.url}`),
  );
  return [...captions, ...json].map(({ url }) => url);
}

function matchesType({ url, mimeType }: EpisodeFile, type: RegExp, extension: RegExp): boolean {
  return type.test(mimeType) || extension.test(new URL(url).pathname);
}

/** Returns chapters in order of time. Chapters without a time, or after the end of the episode, are omitted. */
function chaptersIn(
  items: readonly unknown[],
  { link, durationMs }: { link: string; durationMs: number },
  texts: TextConverters,
  warn: RowWarningReporter,
): EpisodeRecord['chapters'] {
  if (items.length > MAX_CHAPTERS)
    warn('chapters', `has ${items.length} chapters; only the first ${MAX_CHAPTERS} are used`);
  // Resolves against the URL of the page, which is untrusted input and may have another scheme.
  const absolute = (field: string, address: string) =>
    address === '' ? undefined : readAddress(field, URL.parse(address, link)?.href ?? address, warn);
  const chapters = readList('chapters', items.slice(0, MAX_CHAPTERS), lenientChapter, warn).flatMap(
    ({ item, field }): EpisodeRecord['chapters'] => {
      const startMs = parseLenientPlayTime(item.start);
      if (startMs === undefined) {
        warn(`${field}.start`, 'is not a play time such as 01:02:03.456, so the chapter is left out', item.start);
        return [];
      }
      if (chaptersWithin([{ startMs }], durationMs).length === 0) {
        warn(field, describeLateChapter(startMs, durationMs));
        return [];
      }
      const href = absolute(`${field}.href`, item.href);
      const image = absolute(`${field}.image`, item.image);
      const title = texts.plain(item.title) || shortPlayTime(startMs);
      return [{ startMs, title, ...(href && { href }), ...(image && { image }) }];
    },
  );
  return sortByStart(chapters);
}

function soundbiteOf(
  row: z.output<typeof episodeV2Row>,
  texts: TextConverters,
  warn: RowWarningReporter,
): EpisodeRecord['soundbite'] {
  const startMs = readTime('soundbite_start', row.soundbite_start, warn);
  const durationMs = readTime('soundbite_duration', row.soundbite_duration, warn);
  if (startMs === undefined || !durationMs) return undefined;
  const problem = soundbiteProblem(durationMs);
  if (problem) warn('soundbite_duration', problem, row.soundbite_duration);
  return { startMs, durationMs, title: texts.plain(row.soundbite_title ?? '') };
}

type SeriesRow = Omit<Partial<z.output<typeof showRow>>, 'guid' | 'title'> & {
  id: number;
  guid?: string | null | undefined;
  title?: string | null | undefined;
};

function projectSeries(row: SeriesRow, texts: TextConverters, warn: RowWarningReporter): Omit<Series, 'language'> {
  const text = (value: string | null | undefined) => texts.plain(value ?? '');
  const funding = readAddress('funding_url', row.funding_url, warn);
  return {
    id: row.id,
    guid: row.guid ?? '',
    title: text(row.title),
    subtitle: text(row.subtitle),
    summary: text(row.summary),
    author: text(row.author_name),
    email: row.podcast_email ?? '',
    cover: readAddress('image', row.image, warn),
    category: row.category ?? '',
    type: row.itunes_type ?? undefined,
    explicit: row.explicit ?? false,
    copyright: text(row.copyright),
    funding: funding === undefined ? undefined : { url: funding, label: text(row.funding_label) },
    license: licenseOf({ license_name: row.license_name ?? null, license_url: row.license_url ?? null }, warn),
  };
}

function licenseOf(
  { license_name, license_url }: Pick<EpisodeRow, 'license_name' | 'license_url'>,
  warn: RowWarningReporter,
): EpisodeRecord['license'] {
  const url = readAddress('license_url', license_url, warn) ?? '';
  return license_name || url ? { name: license_name || url, url } : undefined;
}

function imagesOf(...addresses: readonly (string | undefined)[]): FileReference[] {
  return addresses.flatMap((address) => (address ? [{ address, kind: 'image' }] : []));
}
