import { join } from 'node:path';
import type { DemoShow, DemoTranslation } from '#origin/admin/seed/demo-podcast.ts';
import { readDemoPodcast } from '#origin/admin/seed/read-demo.ts';

export const PODCAST_FOLDER = 'content/demo/podcast';

export type { DemoShow };

export interface EpisodeFile extends DemoTranslation {
  path: string;
}

/** The episodes of the demo by key and language. */
export async function readEpisodes(folder = PODCAST_FOLDER): Promise<EpisodeFile[]> {
  const { episodes } = await readDemoPodcast(folder);
  return episodes.map((read) => ({ ...read, path: join(folder, `${read.key}.${read.language}.yaml`) }));
}

export async function readShows(folder = PODCAST_FOLDER): Promise<DemoShow[]> {
  return (await readDemoPodcast(folder)).shows;
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
