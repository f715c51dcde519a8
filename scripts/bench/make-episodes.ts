import { hash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseTranscript, writeTranscript, type Cue } from '#contracts/podcast/index.ts';
import {
  EPISODE,
  PODCAST,
  SHOW,
  type EpisodeRecord,
  type FileReference,
  type PodcastRecord,
  type ShowRecord,
} from '#contracts/synced/index.ts';
import { readDemoContent } from '#origin/admin/seed/demo-content.ts';
import { type StoredAsset } from '#snapshot/index.ts';

const DEMO = path.resolve(import.meta.dirname, '../../content/demo');
const SITE = 'https://podcast.example';
/** Of an hour: chapters of five minutes, cues of three seconds. */
const [CHAPTERS, CUES, CUE_MS] = [12, 1200, 3000];
/** Notes of some 2,500 characters, and of each tenth episode, which is a long one, of 10,000. */
const [NOTES, LONG_NOTES] = [2500, 10_000];
/** So many different transcripts are there in a language; each is as long as the others. */
const TRANSCRIPTS = 20;

export interface Episodes {
  /** Of each language. */
  count: number;
  /** Where assets lie: `.sortiment/assets` of a project. */
  assetsFolder: string;
  /** Changes single records; the number counts from 1 in each language. */
  change?: (record: EpisodeRecord, number: number, language: string) => EpisodeRecord;
}

/** As it is staged. */
export interface MadeArticles {
  records: [kind: string, records: [id: string, record: object, references?: FileReference[]][]][];
  assets: StoredAsset[];
}

/** A podcast in several languages, with an episode of an hour each day. They say again and again what the demo's say. */
export async function makeEpisodes(
  languages: readonly string[],
  { count, assetsFolder, change = (record) => record }: Episodes,
): Promise<MadeArticles> {
  const { podcast: demo } = await readDemoContent(DEMO);
  const at = new Date().toISOString();
  const assets: StoredAsset[] = [];
  const episodes: EpisodeRecord[] = [];
  for (const [place, language] of languages.entries()) {
    const own = demo.episodes.filter((each) => each.language === language);
    const spoken = own.flatMap(({ slug }) => readSentences(slug));
    const transcripts = Array.from({ length: TRANSCRIPTS }, (_, i) => {
      const asset = storeTranscript(assetsFolder, `${SITE}/${language}-${i}.vtt`, speak(spoken, i), at);
      assets.push(asset);
      return asset.url;
    });
    for (let number = 1; number <= count; number++) {
      const sample = own[number % own.length];
      if (!sample) throw new Error(`The demo has no episode in ${language} to make records from.`);
      const id = place * count + number;
      const slug = `${language}-episode-${number}`;
      const published = new Date(Date.UTC(2024, 0, number)).toISOString();
      const record: EpisodeRecord = {
        id,
        page: 100_000 + id,
        slug,
        link: `${SITE}/${slug}/`,
        guid: `guid-${id}`,
        title: `${sample.title} (${number})`,
        number,
        season: undefined,
        type: 'full',
        subtitle: sample.subtitle,
        summary: sample.summary,
        html: notesOf(sample.notes, number % 10 === 0 ? LONG_NOTES : NOTES),
        published,
        modified: published,
        recorded: undefined,
        durationMs: CUES * CUE_MS,
        explicit: false,
        cover: undefined,
        poster: undefined,
        author: undefined,
        featuredMedia: undefined,
        audio: [{ url: `${SITE}/${slug}.mp3`, bytes: 57_600_000, mimeType: 'audio/mpeg' }],
        transcripts: [transcripts[number % TRANSCRIPTS] ?? ''],
        chapters: Array.from({ length: CHAPTERS }, (_, i) => {
          const { title = '', gtin } = sample.chapters[i % sample.chapters.length] ?? {};
          const href = gtin === undefined ? undefined : `${SITE}/01/${gtin}`;
          return { startMs: (i * CUES * CUE_MS) / CHAPTERS, title: `${title} (${i + 1})`, ...(href && { href }) };
        }),
        soundbite: undefined,
        license: undefined,
        show: language,
        tags: [],
      };
      episodes.push(change(record, number, language));
    }
  }
  const shows = languages.map((language, i): ShowRecord => {
    const show = demo.shows.find((each) => each.language === language);
    return { id: i + 1, slug: language, ...seriesOf(show?.title ?? language, show?.summary ?? ''), guid: '', language };
  });
  const podcast: PodcastRecord = { id: 1, ...seriesOf('Podcast', ''), language: languages[0], link: SITE };
  return {
    records: [
      [PODCAST.kind, withIds([podcast])],
      [SHOW.kind, withIds(shows)],
      [
        EPISODE.kind,
        episodes.map((record) => [
          String(record.id),
          record,
          record.transcripts.map((address) => ({ address, kind: 'transcript' })),
        ]),
      ],
    ],
    assets,
  };
}

function withIds(records: readonly { id: number }[]): [string, object][] {
  return records.map((record) => [String(record.id), record]);
}

function seriesOf(title: string, summary: string): Omit<PodcastRecord, 'id' | 'language' | 'link'> {
  return {
    guid: '3c8f3a0e-94a4-5d35-9a8f-6e6c1c7f8c11',
    title,
    subtitle: '',
    summary,
    author: 'Haldenwerk',
    email: 'podcast@haldenwerk.example',
    cover: undefined,
    category: 'Leisure > Home & Garden',
    type: 'episodic',
    explicit: false,
    copyright: '',
    funding: undefined,
    license: undefined,
  };
}

/** The same notes again and again, until they are as long as that. */
function notesOf(notes: string, length: number): string {
  const html = notes.replaceAll('{site}', SITE);
  return html.repeat(Math.ceil(length / html.length));
}

function readSentences(slug: string): string[] {
  const transcript = parseTranscript(
    'webvtt',
    readFileSync(path.join(DEMO, `podcast/transcripts/${slug}.vtt`), 'utf8'),
  );
  return transcript.ok ? transcript.value.map(({ text }) => text) : [];
}

/** An hour of sentences, beginning with another one each time. */
function speak(sentences: readonly string[], first: number): Cue[] {
  return Array.from({ length: CUES }, (_, i) => ({
    startMs: i * CUE_MS,
    endMs: (i + 1) * CUE_MS,
    text: sentences[(first * 7 + i) % sentences.length] ?? '',
  }));
}

function storeTranscript(assetsFolder: string, url: string, cues: readonly Cue[], at: string): StoredAsset {
  const bytes = Buffer.from(writeTranscript('webvtt', cues));
  const digest = hash('sha256', bytes);
  const file = `${digest.slice(0, 2)}/${digest.slice(2)}.vtt`;
  mkdirSync(path.join(assetsFolder, digest.slice(0, 2)), { recursive: true });
  writeFileSync(path.join(assetsFolder, file), bytes);
  return {
    url,
    kind: 'transcript',
    digest,
    file,
    bytes: bytes.length,
    mimeType: 'text/vtt',
    details: { durationMs: CUES * CUE_MS },
    lastModified: undefined,
    etag: undefined,
    reachable: true,
    problem: undefined,
    fetchedAt: at,
    checkedAt: at,
  };
}
