import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

export const PODCAST_FOLDER = 'content/demo/podcast';

const time = z.string().regex(/^\d{2}:[0-5]\d:[0-5]\d\.\d{3}$/);
const localTime = z.iso.datetime({ local: true });

const chapter = z.strictObject({
  start: time,
  title: z.string(),
  gtin: z.string().optional(),
  href: z.url().optional(),
  image: z.string().optional(),
  /** What is said in it, word for word; paragraphs are separated by an empty line. */
  spoken: z.string(),
});

/** What only the sound tells (duration, files, starts) is written by `make-podcast.ts`; a new episode begins with zeros. */
export const demoEpisode = z.strictObject({
  guid: z.uuid(),
  /** Also the name of the files of sound and of the transcript. */
  slug: z.string(),
  number: z.int(),
  season: z.int(),
  type: z.enum(['full', 'trailer', 'bonus']),
  title: z.string(),
  subtitle: z.string(),
  summary: z.string(),
  recorded: z.iso.date(),
  published: localTime,
  explicit: z.boolean(),
  cover: z.string(),
  duration: time,
  audio: z.array(z.strictObject({ file: z.string(), type: z.string(), bytes: z.int() })),
  transcript: z.string(),
  contributors: z.array(z.strictObject({ name: z.string(), role: z.string() })),
  products: z.array(z.string()),
  soundbite: z.strictObject({
    title: z.string(),
    /** Whole sentences of one paragraph; start and duration follow from them. */
    quote: z.string(),
    start: time,
    duration: time,
  }),
  chapters: z.array(chapter).min(1),
  notes: z.string(),
});

export const demoShow = z.strictObject({
  language: z.string(),
  guid: z.uuid(),
  title: z.string(),
  subtitle: z.string(),
  summary: z.string(),
  author: z.string(),
  owner: z.strictObject({ name: z.string(), email: z.email() }),
  category: z.string(),
  type: z.enum(['episodic', 'serial']),
  explicit: z.boolean(),
  copyright: z.string(),
  funding: z.strictObject({ url: z.string(), label: z.string() }),
  license: z.strictObject({ name: z.string(), url: z.string() }),
  cover: z.string(),
});

export type DemoEpisode = z.infer<typeof demoEpisode>;
export type DemoShow = z.infer<typeof demoShow>;

export interface EpisodeFile {
  /** What the translations of an episode share, such as `test-day`. */
  key: string;
  language: string;
  path: string;
  episode: DemoEpisode;
}

/** The episodes of the demo by key and language. */
export async function readEpisodes(folder = PODCAST_FOLDER): Promise<EpisodeFile[]> {
  const names = (await readdir(folder)).toSorted();
  return Promise.all(
    names.flatMap((name) => {
      const [, key, language] = /^([a-z-]+)\.([a-z]{2}-[a-z]{2})\.yaml$/.exec(name) ?? [];
      return key && language ? [readEpisode(key, language, join(folder, name))] : [];
    }),
  );
}

async function readEpisode(key: string, language: string, path: string): Promise<EpisodeFile> {
  return { key, language, path, episode: demoEpisode.parse(parse(await readFile(path, 'utf8'))) };
}

export async function readShows(folder = PODCAST_FOLDER): Promise<DemoShow[]> {
  return z.array(demoShow).parse(parse(await readFile(join(folder, 'shows.yaml'), 'utf8')));
}

/** Paragraphs of sentences, as they are spoken and as the transcript shows them. */
export function splitSentences(spoken: string): string[][] {
  return spoken
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .replace(/\s*\n\s*/g, ' ')
        .split(/(?<=[.?!])\s+(?=[\p{Lu}\d«„“])/u)
        .map((sentence) => sentence.trim()),
    );
}

function part(value: number, digits = 2): string {
  return String(value).padStart(digits, '0');
}

/** `83.5` -> `00:01:23.500` */
export function formatTime(seconds: number): string {
  const ms = Math.round(seconds * 1000);
  const minutes = Math.floor(ms / 60_000);
  return `${part(Math.floor(minutes / 60))}:${part(minutes % 60)}:${part(Math.floor(ms / 1000) % 60)}.${part(ms % 1000, 3)}`;
}

/** `00:01:23.500` -> `83.5` */
export function readTime(text: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}
