import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { parseTranscript } from '#contracts/podcast/transcript.ts';
import { soundbiteProblem } from '#contracts/podcast/episode.ts';
import { podcastGuid } from '#contracts/podcast/feed-document.ts';
import { readDemoContent, episodeCover, episodeFiles, motifPath, podcastFiles, showCover } from './demo-content.ts';
import { pdfText, plainText } from './testing/pdf-text.ts';

const FOLDER = 'content/demo';
const MAX_BYTES = 12_000_000;
const MAX_PODCAST_BYTES = 20_000_000;

const { products, podcast, media } = await readDemoContent(FOLDER);
const records = Object.values(products).flatMap((versions) => Object.values(versions));

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

const bytesOf = (files: readonly string[]): number => files.reduce((sum, file) => sum + statSync(file).size, 0);

function linked(field: 'datasheet' | 'safety_datasheet' | 'declaration_of_performance' | 'image' | 'banner') {
  return [...new Set(records.flatMap((record) => record[field] || []))];
}

/** Seconds of `00:01:23.500`. */
function secondsOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return hours * 3600 + minutes * 60 + seconds;
}

const podcastFile = (path: string): Buffer => readFileSync(join(FOLDER, 'podcast', path));

describe('files of products', () => {
  it('are exactly those that records and motifs name, and small', () => {
    const named = [
      ...linked('datasheet'),
      ...linked('safety_datasheet'),
      ...linked('declaration_of_performance'),
      ...linked('image'),
      ...linked('banner'),
      ...media.map(({ key }) => motifPath(key)),
    ];
    expect(filesBelow(join(FOLDER, 'media')).toSorted()).toEqual(named.map((path) => join(FOLDER, path)).toSorted());
    expect(bytesOf(filesBelow(FOLDER).filter((file) => !file.includes('/audio/')))).toBeLessThan(MAX_BYTES);
  });

  it('have the sizes that pages expect of pictures', async () => {
    const sizes = [
      [linked('image'), 'webp', 1600, 1600],
      [linked('banner'), 'webp', 1600, 500],
      [media.map(({ key }) => motifPath(key)), 'jpeg', 1600, 1067],
    ] as const;
    for (const [paths, format, width, height] of sizes)
      for (const path of paths)
        expect(await sharp(join(FOLDER, path)).metadata(), path).toMatchObject({ format, width, height });
  });

  it('say in documents what the records say, in the language of their folder', async () => {
    const texts = new Map<string, string>();
    for (const path of [
      ...linked('datasheet'),
      ...linked('safety_datasheet'),
      ...linked('declaration_of_performance'),
    ]) {
      const file = readFileSync(join(FOLDER, path));
      expect(/\/Lang \(([\w-]+)\)/.exec(file.toString('latin1'))?.[1]?.toLowerCase(), path).toBe(path.split('/')[1]);
      texts.set(path, await pdfText(file));
    }
    const missing: string[] = [];
    const expectIn = (path: string | null | undefined, values: readonly (string | null | undefined)[]): void => {
      const lacking = path ? values.filter((value) => !texts.get(path)?.includes(plainText(value ?? ''))) : [];
      missing.push(...lacking.map((value) => `${path}: ${value}`));
    };
    for (const record of records) {
      const { name, item_number: item, gtin, intro, attributes, materials } = record;
      const declared = (attributes ?? []).flatMap((attribute) => [attribute.name, attribute.norm, attribute.value]);
      const parts = (materials ?? []).flatMap((material) => [material.name, material.value]);
      expectIn(record.datasheet, [name, item, gtin, intro, ...declared, ...parts]);
      expectIn(record.safety_datasheet, [name, item]);
      expectIn(record.declaration_of_performance, [name, item]);
    }
    expect(missing).toEqual([]);
  }, 180_000);
});

describe('the podcast', () => {
  it('has the same episodes in each language, each with its own identity, and no other files', () => {
    const versions = Object.values(Object.groupBy(podcast.episodes, ({ key }) => key));
    for (const same of versions) expect(same?.map(({ language }) => language)).toEqual(['de-de', 'en-gb', 'fr-fr']);
    const identities = [...podcast.shows, ...podcast.episodes].map(({ guid }) => guid);
    expect(new Set(identities).size).toBe(identities.length);
    for (const { language, guid } of podcast.shows)
      expect(guid).toBe(podcastGuid(`https://haldenwerk.example/${language}/podcast/feed.xml`));
    const all = filesBelow(join(FOLDER, 'podcast'));
    expect(all.filter((path) => /\.(opus|mp3|vtt|jpg)$/.test(path)).toSorted()).toEqual(
      podcastFiles(podcast)
        .map((path) => join(FOLDER, 'podcast', path))
        .toSorted(),
    );
    expect(bytesOf(all)).toBeLessThan(MAX_PODCAST_BYTES);
  });

  it('plays for as long as declared', () => {
    for (const { slug, duration } of podcast.episodes)
      for (const path of episodeFiles(slug).filter((name) => name.startsWith('audio/'))) {
        const seconds = path.endsWith('.opus') ? opusSeconds(podcastFile(path)) : mp3Seconds(podcastFile(path));
        expect(Math.abs(seconds - secondsOf(duration)), path).toBeLessThan(1);
      }
  });

  it('has chapters and cues in order within the episode, about products and pictures of the demo', () => {
    const pictures = [...linked('image'), ...media.map(({ key }) => motifPath(key))];
    for (const { slug, chapters, duration, soundbite } of podcast.episodes) {
      const starts = chapters.map(({ start }) => secondsOf(start));
      expect(starts[0]).toBe(0);
      expect(starts, slug).toEqual([...new Set(starts)].toSorted((a, b) => a - b));
      for (const { gtin, image } of chapters) {
        if (gtin) expect(products, slug).toHaveProperty([gtin]);
        if (image) expect(pictures, slug).toContain(image);
      }
      const cues = parseTranscript('webvtt', podcastFile(`transcripts/${slug}.vtt`).toString());
      if (!cues.ok) throw new Error(slug);
      const times = cues.value.flatMap(({ startMs, endMs }) => [startMs, endMs]);
      expect(times, slug).toEqual(times.toSorted((a, b) => a - b));
      expect(Math.max(times.at(-1) ?? 0, (starts.at(-1) ?? 0) * 1000), slug).toBeLessThan(secondsOf(duration) * 1000);
      expect(soundbiteProblem(secondsOf(soundbite.duration) * 1000), slug).toBeUndefined();
    }
  });

  it('names only existing item numbers in its notes', () => {
    const items = new Set(records.map((record) => record.item_number));
    for (const { notes, slug } of podcast.episodes)
      for (const [item] of notes.matchAll(/HW-\d{5}/g)) expect(items.has(item), `${slug}: ${item}`).toBe(true);
  });

  it('has square covers in the sizes that directories accept', async () => {
    const sides = new Map([
      ...podcast.shows.map(({ language }) => [showCover(language), 3000] as const),
      ...podcast.episodes.map(({ key }) => [episodeCover(key), 1400] as const),
    ]);
    for (const [path, side] of sides)
      expect(await sharp(podcastFile(path)).metadata(), path).toMatchObject({ width: side, height: side });
  });
});

/** The position on the last Ogg page, without the samples that a decoder skips at the start (RFC 7845, 4). */
function opusSeconds(audio: Buffer): number {
  const preSkip = audio.readUInt16LE(audio.indexOf('OpusHead') + 10);
  return (Number(audio.readBigUInt64LE(audio.lastIndexOf('OggS') + 6)) - preSkip) / 48_000;
}

/** The number of frames in the "Info" header of a constant bit rate; an MPEG-2 frame holds 576 samples at 24 kHz. */
function mp3Seconds(audio: Buffer): number {
  return (audio.readUInt32BE(audio.indexOf('Info') + 8) * 576) / 24_000;
}
