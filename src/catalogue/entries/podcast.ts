import { z } from 'zod';
import { languageCode } from '#contracts/product/index.ts';
import { imageAsset } from './head-entry.ts';

/** Possible mentions of products in a text, in order of appearance. */
export const mentions = z.object({
  /** GTIN-13s. */
  gtins: z.array(z.string()),
  /** Item numbers and names, as written. */
  names: z.array(z.string()),
});

export type Mentions = z.output<typeof mentions>;

/** Podcast entries as used by pages, players and feeds: a show per language, and its episodes. */

/** A link to a directory or app that carries the show. */
const listenLink = z.object({
  /** Client id of the contracts: `apple-podcasts`. */
  client: z.string(),
  url: z.url(),
});

/** Collection `podcasts`, id = language: one entry per language with episodes. */
export const podcastEntry = z.object({
  language: languageCode,
  title: z.string(),
  subtitle: z.string(),
  /** Plain text. */
  summary: z.string(),
  /** Assigned podcast GUID, if any; otherwise it is derived from the feed URL. */
  guid: z.string().optional(),
  author: z.string(),
  /** E-mail address of the owner, for directories. */
  email: z.string().optional(),
  /** Category as named in directories: `{ top: 'Arts', leaf: 'Books' }`. */
  category: z.object({ top: z.string(), leaf: z.string().optional() }).optional(),
  type: z.enum(['episodic', 'serial']),
  explicit: z.boolean(),
  copyright: z.string(),
  funding: z.object({ url: z.string(), label: z.string() }).optional(),
  license: z.object({ name: z.string(), url: z.string() }).optional(),
  cover: imageAsset.optional(),
  listen: z.array(listenLink),
  /** Root-relative path of its page. */
  path: z.string(),
});

export const audioFile = z.object({
  /** Root-relative when mirrored, absolute when linked. */
  href: z.string(),
  fileName: z.string(),
  mimeType: z.string(),
  bytes: z.int(),
  /** SHA-256 of the file, hex; undefined for linked files. */
  digest: z.string().optional(),
});

const chapter = z.object({
  startMs: z.int(),
  title: z.string(),
  /** Link: root-relative within this site, or absolute. */
  href: z.string().optional(),
  image: imageAsset.optional(),
});

/** Collection `episodes`, id `<language>/<slug>`. The transcript is read when the page is rendered. */
export const episodeEntry = z.object({
  /** Id of the episode at the publishing site; differs from the id of its page. */
  sourceId: z.int(),
  language: languageCode,
  slug: z.string(),
  /** Permanent identifier for podcast apps. */
  guid: z.string(),
  title: z.string(),
  number: z.int().optional(),
  season: z.int().optional(),
  type: z.enum(['full', 'trailer', 'bonus']),
  subtitle: z.string(),
  /** Plain text. */
  summary: z.string(),
  /** Notes: sanitised; internal links point into this site, images carry `data-asset`. */
  html: z.string(),
  published: z.coerce.date(),
  modified: z.coerce.date(),
  recorded: z.coerce.date().optional(),
  durationMs: z.int(),
  explicit: z.boolean(),
  cover: imageAsset.optional(),
  /** Audio files, best first. Feeds use the MP3 if there is one. */
  audio: z.array(audioFile),
  chapters: z.array(chapter),
  /** Digest of the transcript file in the snapshot. */
  transcript: z.string().optional(),
  soundbite: z.object({ startMs: z.int(), durationMs: z.int(), title: z.string() }).optional(),
  license: z.object({ name: z.string(), url: z.string() }).optional(),
  contributors: z.array(z.object({ name: z.string(), role: z.string().optional() })),
  tags: z.array(z.object({ slug: z.string(), name: z.string() })),
  /** Language -> path of each translation, including the episode itself. */
  translations: z.record(languageCode, z.string()),
  /** Possible product mentions in notes and chapters. */
  mentions,
  /** Root-relative path of its page. */
  path: z.string(),
});

export type PodcastEntry = z.output<typeof podcastEntry>;
export type EpisodeEntry = z.output<typeof episodeEntry>;
export type AudioFile = z.output<typeof audioFile>;
export type EpisodeChapter = EpisodeEntry['chapters'][number];
