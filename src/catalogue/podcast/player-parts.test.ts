import { expect, it } from 'vitest';
import type { Cue } from '#contracts/podcast/transcript.ts';
import {
  embedCode,
  preferredAudio,
  formatName,
  mediaFragment,
  playableType,
  groupTranscript,
} from './episode-player.ts';

const chapter = (startMs: number, title: string) => ({ startMs, title });
const cue = (startMs: number, text: string, speaker?: string): Cue => ({
  startMs,
  endMs: startMs + 4000,
  text,
  ...(speaker !== undefined && { speaker }),
});
const file = (mimeType: string, fileName: string) => ({ href: `/audio/${fileName}`, fileName, mimeType, bytes: 1 });
const outline = (cues: readonly Cue[], chapters: ReturnType<typeof chapter>[]) =>
  groupTranscript(cues, chapters).map(({ chapter: of, paragraphs }) => [
    of?.title,
    ...paragraphs.map(({ cues: said }) => said.map(({ text }) => text).join(' ')),
  ]);

it('divides a transcript by chapters and speakers', () => {
  const cues = [cue(0, 'Jingle.'), cue(5000, 'Hello.', 'Ann'), cue(9000, 'Yes.', 'Bob'), cue(20_000, 'Next.', 'Bob')];
  expect(outline(cues, [chapter(5000, 'One'), chapter(15_000, 'Silent'), chapter(20_000, 'Two')])).toEqual([
    [undefined, 'Jingle.'],
    ['One', 'Hello.', 'Yes.'],
    ['Two', 'Next.'],
  ]);
});

it('divides a long speech into paragraphs, at the end of a sentence', () => {
  const cues = Array.from({ length: 40 }, (_, i) => cue(i * 5000, i % 3 === 2 ? 'end.' : 'and'));
  const [part] = groupTranscript(cues, []);
  expect(part?.paragraphs.length).toBeGreaterThan(2);
  expect(part?.paragraphs.slice(0, -1).every(({ cues: said }) => said.at(-1)?.text === 'end.')).toBe(true);
  expect(part?.paragraphs.flatMap(({ cues: said }) => said)).toEqual(cues);
});

it('makes an embed code that is safe whatever the title holds', () => {
  const episode = { language: 'de-de', slug: 'kaelte', title: 'Dicht? "><script>alert(1)</script>' };
  const code = embedCode(episode, new URL('https://katalog.example'));
  expect(code).toContain('<iframe src="https://katalog.example/de-de/podcast/kaelte/embed/"');
  expect(code).not.toContain('<script');
  expect(code).toContain('title="Dicht? &quot;');
});

it('names files as browsers and people know them', () => {
  const [opus, mp3, other] = [file('audio/opus', 'a.opus'), file('audio/mpeg', 'a.mp3'), file('audio/x-new', 'a.new')];
  expect([opus, mp3, other].map(playableType)).toEqual(['audio/ogg; codecs=opus', 'audio/mpeg', 'audio/x-new']);
  expect([opus, mp3, other].map(formatName)).toEqual(['Opus', 'MP3', 'NEW']);
  expect(preferredAudio({ audio: [opus, mp3] })).toBe(mp3);
  expect(preferredAudio({ audio: [opus] })).toBe(opus);
  // Plain seconds, because minutes would need two digits.
  expect(mediaFragment(mp3, 65_500)).toBe('/audio/a.mp3#t=65.5');
});
