import { z } from 'zod';
import { languageCode } from '#contracts/product/index.ts';
import { imageAsset } from './image-asset.ts';
import { mentions } from './mentions.ts';

/** The podcast as pages, players and feeds work with it: a show in each language, and its episodes. */

/** A directory or app in which the show can be heard. */
const listenLink = z.object({
  /** As contracts name clients: `apple-podcasts`. */
  client: z.string(),
  url: z.url(),
});

/** Collection `podcasts`, id = language: there is one for each language that has episodes. */
export const podcastEntry = z.object({
  language: languageCode,
  title: z.string(),
  subtitle: z.string(),
  /** Plain text. */
  summary: z.string(),
  /** Identifies it in directories, where it was assigned; otherwise it follows from the address of its feed. */
  guid: z.string().optional(),
  author: z.string(),
  /** Of the owner, as feeds give it to directories. */
  email: z.string().optional(),
  /** As directories name it: `{ top: 'Arts', leaf: 'Books' }`. */
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
  /** SHA-256 of its bytes, hex; unknown where only the source has them. */
  digest: z.string().optional(),
});

const chapter = z.object({
  startMs: z.int(),
  title: z.string(),
  /** Where it leads on: root-relative into this site, or absolute. */
  href: z.string().optional(),
  image: imageAsset.optional(),
});

/** Collection `episodes`, id `<language>/<slug>`. Its transcript is read when its page is rendered. */
export const episodeEntry = z.object({
  /** Id of the episode at the publishing site; its page there has another one. */
  sourceId: z.int(),
  language: languageCode,
  slug: z.string(),
  /** What apps know it by; it never changes. */
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
  /** What can be played, the best first; the one that feeds name is MP3 where there is one. */
  audio: z.array(audioFile),
  chapters: z.array(chapter),
  /** Digest of the transcript's file in the snapshot. */
  transcript: z.string().optional(),
  soundbite: z.object({ startMs: z.int(), durationMs: z.int(), title: z.string() }).optional(),
  license: z.object({ name: z.string(), url: z.string() }).optional(),
  contributors: z.array(z.object({ name: z.string(), role: z.string().optional() })),
  tags: z.array(z.object({ slug: z.string(), name: z.string() })),
  /** Language -> path of the same episode in that language, itself included. */
  translations: z.record(languageCode, z.string()),
  /** What its notes and chapters may mean products by. */
  mentions,
  /** Root-relative path of its page. */
  path: z.string(),
});

export type PodcastEntry = z.output<typeof podcastEntry>;
export type EpisodeEntry = z.output<typeof episodeEntry>;
export type AudioFile = z.output<typeof audioFile>;
export type EpisodeChapter = EpisodeEntry['chapters'][number];
