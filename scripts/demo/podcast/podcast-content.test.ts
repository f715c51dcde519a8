import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { soundbiteProblem } from '#contracts/podcast/index.ts';
import { podcastGuid } from '#contracts/podcast/podcast-guid.ts';
import { MOTIFS } from '../motifs/index.ts';
import {
  PODCAST_FOLDER,
  readEpisodes,
  readShows,
  readTime,
  splitSentences,
  type DemoShow,
  type EpisodeFile,
} from './episode.ts';

const LANGUAGES = ['de-de', 'en-gb', 'fr-fr'];

let episodes: EpisodeFile[];
let shows: DemoShow[];
let products: Record<string, Record<string, { item_number: string; image: string }>>;

beforeAll(async () => {
  [episodes, shows] = await Promise.all([readEpisodes(), readShows()]);
  products = JSON.parse(readFileSync('content/demo/products.json', 'utf8')) as typeof products;
});

function podcastFile(path: string): Buffer {
  return readFileSync(join(PODCAST_FOLDER, path));
}

/** Duration of the audio in seconds, from the file itself. */
function playingTime(path: string): number {
  return path.endsWith('.opus') ? opusSeconds(podcastFile(path)) : mp3Seconds(podcastFile(path));
}

/** The position on the last Ogg page, less what a decoder skips at the start (RFC 7845, 4). */
function opusSeconds(file: Buffer): number {
  const preSkip = file.readUInt16LE(file.indexOf('OpusHead') + 10);
  return (Number(file.readBigUInt64LE(file.lastIndexOf('OggS') + 6)) - preSkip) / 48_000;
}

/** The number of frames in the "Info" header of a constant bit rate; a frame of MPEG-2 holds 576 samples at 24 kHz. */
function mp3Seconds(file: Buffer): number {
  return (file.readUInt32BE(file.indexOf('Info') + 8) * 576) / 24_000;
}

function readCues(path: string): { start: number; end: number; text: string }[] {
  const cue = /^(\S+) --> (\S+)\n<v [^>]+>(.+)$/gm;
  return [...podcastFile(path).toString().matchAll(cue)].map(([, start = '', end = '', text = '']) => ({
    start: readTime(start),
    end: readTime(end),
    text,
  }));
}

describe('the demo podcast', () => {
  it('has a show and the same four episodes in each language, each with an identity of its own', () => {
    expect(shows.map(({ language }) => language)).toEqual(LANGUAGES);
    expect(episodes.map(({ key, language }) => `${key} ${language}`)).toEqual(
      ['reading-declarations', 'test-day', 'vapour-control', 'winter-roof'].flatMap((key) =>
        LANGUAGES.map((language) => `${key} ${language}`),
      ),
    );
    const identities = [
      ...shows.map(({ guid }) => guid),
      ...episodes.flatMap(({ episode }) => [episode.guid, episode.slug]),
    ];
    expect(new Set(identities).size).toBe(identities.length);
    for (const versions of Object.values(Object.groupBy(episodes, ({ key }) => key))) {
      const shared = versions?.map(({ episode: { number, season, products: gtins } }) => ({ number, season, gtins }));
      expect(shared).toEqual(Array(LANGUAGES.length).fill(shared?.[0]));
    }
  });

  it('plays for as long as declared, two to four minutes, in files of the declared sizes', () => {
    for (const { episode } of episodes) {
      const seconds = readTime(episode.duration);
      expect(seconds, episode.slug).toBeGreaterThan(120);
      expect(seconds, episode.slug).toBeLessThan(240);
      expect(episode.audio.map(({ type }) => type)).toEqual(['audio/opus', 'audio/mpeg']);
      for (const { file, bytes } of episode.audio) {
        expect(Math.abs(playingTime(file) - seconds), file).toBeLessThan(1);
        expect(podcastFile(file).length, file).toBe(bytes);
      }
    }
  });

  it('has chapters in order that point to products and pictures of the demo', () => {
    const pictures = [
      ...Object.keys(MOTIFS).map((key) => `media/motifs/${key}.jpg`),
      ...Object.values(products).flatMap((versions) => Object.values(versions).map(({ image }) => image)),
    ];
    for (const { episode } of episodes) {
      const starts = episode.chapters.map(({ start }) => readTime(start));
      expect(starts[0]).toBe(0);
      expect(starts, episode.slug).toEqual([...new Set(starts)].toSorted((a, b) => a - b));
      expect(starts.at(-1)).toBeLessThan(readTime(episode.duration));
      for (const gtin of episode.products) expect(products, episode.slug).toHaveProperty([gtin]);
      for (const { gtin, image } of episode.chapters) {
        if (gtin) expect(episode.products, episode.slug).toContain(gtin);
        if (image) expect(pictures, episode.slug).toContain(image);
      }
    }
  });

  it('names only products of the episode in its notes', () => {
    for (const { episode, language } of episodes) {
      const named = [...episode.notes.matchAll(/HW-\d{5}/g)].map(([item]) => item);
      const itemNumbers = episode.products.map((gtin) => products[gtin]?.[language]?.item_number);
      for (const item of named) expect(itemNumbers, episode.slug).toContain(item);
    }
  });

  it('has a transcript of every sentence, one after the other, within the episode', () => {
    for (const { episode } of episodes) {
      const cues = readCues(episode.transcript);
      expect(cues.map(({ text }) => text)).toEqual(
        episode.chapters.flatMap(({ spoken }) => splitSentences(spoken)).flat(),
      );
      const times = cues.flatMap(({ start, end }) => [start, end]);
      expect(times, episode.slug).toEqual(times.toSorted((a, b) => a - b));
      expect(times.at(-1)).toBeLessThan(readTime(episode.duration));
      const { quote, start, duration } = episode.soundbite;
      const heard = cues.filter(
        (cue) => cue.start >= readTime(start) && cue.end <= readTime(start) + readTime(duration) + 0.01,
      );
      expect(heard.map(({ text }) => text).join(' ')).toBe(quote);
      expect(soundbiteProblem(readTime(duration) * 1000), episode.slug).toBeUndefined();
    }
  });

  it('has guids as directories make them of the feeds of its site', () => {
    for (const { language, guid } of shows)
      expect(guid).toBe(podcastGuid(`https://haldenwerk.example/${language}/podcast/feed.xml`));
  });

  it('has square covers in the sizes that directories take, and needs at most 20 MB in all', async () => {
    for (const { cover } of shows) expect(await size(cover)).toEqual([3000, 3000]);
    for (const cover of new Set(episodes.map(({ episode }) => episode.cover)))
      expect(await size(cover)).toEqual([1400, 1400]);
    const names = readdirSync(PODCAST_FOLDER, { recursive: true, withFileTypes: true });
    const bytes = names
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name)).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000_000);
  });
});

async function size(cover: string): Promise<[number, number]> {
  const { width, height } = await sharp(join(PODCAST_FOLDER, cover)).metadata();
  return [width, height];
}
