import { z } from 'zod';

const time = z.string().regex(/^\d{2}:[0-5]\d:[0-5]\d\.\d{3}$/, { error: 'is not a time such as 00:01:23.500' });
const localTime = z.iso.datetime({ local: true });
/** The path of a file below the folder of the demo's podcast. */
const file = z.string().regex(/^(audio|covers|transcripts)\/[a-z0-9.-]+$/, { error: 'is not the path of a file' });

const chapter = z.strictObject({
  start: time,
  title: z.string(),
  gtin: z.string().optional(),
  href: z.url().optional(),
  /** Path below `media/`, as in the records of products. */
  image: z
    .string()
    .regex(/^media\/[a-z0-9/.-]+$/, { error: 'is not the path of a file below media/' })
    .optional(),
  /** What is said in it, word for word; paragraphs are separated by an empty line. */
  spoken: z.string(),
});

/** What only the audio tells (duration, files, starts) is written by `make-podcast.ts`; a new episode begins with zeros. */
export const demoEpisode = z.strictObject({
  guid: z.uuid(),
  /** Also the name of its audio files and transcript. */
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
  cover: file,
  duration: time,
  audio: z.array(z.strictObject({ file, type: z.string(), bytes: z.int() })),
  transcript: file,
  contributors: z.array(z.strictObject({ name: z.string(), role: z.string() })),
  products: z.array(z.string()),
  soundbite: z.strictObject({
    title: z.string(),
    /** Whole sentences, 15 to 120 seconds long; start and duration follow from them. */
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
  cover: file,
});

export type DemoShow = z.output<typeof demoShow>;
export type DemoEpisode = z.output<typeof demoEpisode>;

/** An episode as it was read: what its translations share, such as `test-day`, and its language. */
export interface DemoTranslation {
  key: string;
  language: string;
  episode: DemoEpisode;
}

export interface DemoPodcast {
  shows: DemoShow[];
  /** Ordered by key and language. */
  episodes: DemoTranslation[];
}
