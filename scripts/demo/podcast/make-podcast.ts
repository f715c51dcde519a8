import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import { drawEpisodeCover, drawShowCover } from './covers.ts';
import { formatTime, PODCAST_FOLDER, readEpisodes, readShows, splitSentences, type EpisodeFile } from './episode.ts';
import { add, ambience, bed, chapterMark, jingle, SAMPLE_RATE, signOff, silence } from './sounds.ts';
import { speak, voiceFilters } from './speak.ts';

/** Seconds without a word: after the opening tune, between sentences, paragraphs and chapters, and at the end. */
const PAUSE = { opening: 3.4, sentence: 0.38, paragraph: 0.75, chapter: 2.1, end: 4.6 } as const;
const MUSIC_GAIN = 0.2;
const TARGET_LUFS = -16;
const BED_SECONDS = 9;

const FORMATS = [
  { extension: 'opus', type: 'audio/opus', codec: ['-c:a', 'libopus', '-b:a', '20k', '-application', 'audio'] },
  { extension: 'mp3', type: 'audio/mpeg', codec: ['-c:a', 'libmp3lame', '-b:a', '32k', '-ar', '24000'] },
] as const;

interface Cue {
  start: number;
  end: number;
  text: string;
}

interface Recording {
  voice: Float32Array;
  music: Float32Array;
  chapterStarts: number[];
  cues: Cue[];
  seconds: number;
}

/** `node scripts/demo/podcast/make-podcast.ts [covers | <key>[.<language>]]...`; everything without arguments. */
const wanted = process.argv.slice(2);
const episodes = await readEpisodes();
const shows = await readShows();
if (wanted.length === 0 || wanted.includes('covers')) await drawCovers();
for (const file of episodes) {
  const names = [file.key, `${file.key}.${file.language}`];
  if (wanted.length === 0 || names.some((name) => wanted.includes(name))) await makeEpisode(file);
}

async function drawCovers(): Promise<void> {
  await mkdir(join(PODCAST_FOLDER, 'covers'), { recursive: true });
  for (const show of shows) await writeFile(join(PODCAST_FOLDER, show.cover), await drawShowCover(show));
  for (const { key, episode } of episodes.filter(({ language }) => language === shows[0]?.language)) {
    await writeFile(join(PODCAST_FOLDER, episode.cover), await drawEpisodeCover(key, episode.number));
  }
}

async function makeEpisode(file: EpisodeFile): Promise<void> {
  const recording = await record(file);
  const folder = await mkdtemp(join(tmpdir(), 'demo-podcast-'));
  try {
    const mixed = await mix(recording, file.language, folder);
    await encode(file, recording, mixed, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
  await writeTranscript(file, recording.cues);
  await writeTimes(file, recording);
  process.stdout.write(`${file.key}.${file.language}: ${formatTime(recording.seconds)}\n`);
}

/** Speaks all sentences and lays the tunes around them. The times of the transcript are those of the samples. */
async function record({ key, language, episode }: EpisodeFile): Promise<Recording> {
  const chapters = episode.chapters.map(({ spoken }) => splitSentences(spoken));
  const sounds = (await speak(chapters.flat(2), language)).values();
  const spoken: { start: number; samples: Float32Array }[] = [];
  const chapterStarts: number[] = [];
  const cues: Cue[] = [];
  let now: number = PAUSE.opening;
  for (const [i, paragraphs] of chapters.entries()) {
    chapterStarts.push(i === 0 ? 0 : now - PAUSE.paragraph);
    if (i > 0) now += PAUSE.chapter - PAUSE.paragraph;
    for (const paragraph of paragraphs) {
      for (const text of paragraph) {
        const samples = sounds.next().value ?? silence(0);
        const end = now + samples.length / SAMPLE_RATE;
        spoken.push({ start: now, samples });
        cues.push({ start: now, end, text });
        now = end + PAUSE.sentence;
      }
      now += PAUSE.paragraph - PAUSE.sentence;
    }
  }
  const lastWord = cues.at(-1)?.end ?? now;
  const seconds = lastWord + PAUSE.end;
  const voice = silence(seconds);
  for (const { start, samples } of spoken) add(voice, samples, start);
  const music = silence(seconds);
  add(music, jingle(), 0);
  add(music, ambience(key, seconds), 0, 0.2);
  for (const start of [1.2, seconds - BED_SECONDS]) {
    add(music, bed(BED_SECONDS), start);
    add(music, ambience(key, BED_SECONDS), start, 0.5);
  }
  for (const start of chapterStarts.slice(1)) add(music, chapterMark(), start);
  add(music, signOff(), lastWord + 0.5);
  return { voice, music, chapterStarts, cues, seconds };
}

/** Voice and music together at the loudness that players expect, as one WAV file. */
async function mix({ voice, music }: Recording, language: string, folder: string): Promise<string> {
  const voiceFile = join(folder, 'voice.f32');
  const musicFile = join(folder, 'music.f32');
  const mixed = join(folder, 'mixed.wav');
  await writeFile(voiceFile, new Uint8Array(voice.buffer));
  await writeFile(musicFile, new Uint8Array(music.buffer));
  const raw = ['-f', 'f32le', '-ar', String(SAMPLE_RATE), '-ac', '1', '-i'];
  const inputs = [...raw, voiceFile, ...raw, musicFile];
  const together = `[0]${voiceFilters(language)}[v];[1]volume=${MUSIC_GAIN}[m];[v][m]amix=inputs=2:duration=longest:normalize=0`;
  const measured = ffmpeg([...inputs, '-filter_complex', `${together},loudnorm=print_format=json`, '-f', 'null', '-']);
  const [, loudness] = /"input_i" : "(-[\d.]+)"/.exec(measured) ?? [];
  if (!loudness) throw new Error(`ffmpeg did not measure the loudness:\n${measured}`);
  // A fixed gain keeps the balance of voice and music; the limiter rounds off what it lifts too high.
  const final = `volume=${TARGET_LUFS - Number(loudness)}dB,alimiter=level=false:limit=0.66:attack=1:release=25`;
  ffmpeg([...inputs, '-filter_complex', `${together},${final}`, '-ac', '1', mixed]);
  return mixed;
}

/** One file per format, with title, number and chapters inside. */
async function encode(file: EpisodeFile, recording: Recording, mixed: string, folder: string): Promise<void> {
  const { episode, language } = file;
  const show = shows.find((candidate) => candidate.language === language);
  const tags = {
    title: episode.title,
    artist: show?.author,
    album: show?.title,
    track: episode.number,
    genre: 'Podcast',
  };
  const chapters = episode.chapters.map((chapter, i) => {
    const ends = recording.chapterStarts[i + 1] ?? recording.seconds;
    return `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${milliseconds(recording.chapterStarts[i])}\nEND=${milliseconds(ends)}\ntitle=${escaped(chapter.title)}\n`;
  });
  const metadata = join(folder, 'metadata.txt');
  const lines = Object.entries(tags).map(([name, value]) => `${name}=${escaped(String(value))}\n`);
  await writeFile(metadata, `;FFMETADATA1\n${lines.join('')}${chapters.join('')}`);
  await mkdir(join(PODCAST_FOLDER, 'audio'), { recursive: true });
  for (const { extension, codec } of FORMATS) {
    const output = join(PODCAST_FOLDER, audioName(file, extension));
    const both = ['-i', mixed, '-i', metadata, '-map_metadata', '1', '-map_chapters', '1'];
    ffmpeg([...both, ...codec, '-flags:a', '+bitexact', '-fflags', '+bitexact', output]);
  }
}

async function writeTranscript(file: EpisodeFile, cues: readonly Cue[]): Promise<void> {
  await mkdir(join(PODCAST_FOLDER, 'transcripts'), { recursive: true });
  const [author] = file.episode.contributors;
  const blocks = cues.map(
    ({ start, end, text }, i) => `${i + 1}\n${formatTime(start)} --> ${formatTime(end)}\n<v ${author?.name}>${text}\n`,
  );
  await writeFile(join(PODCAST_FOLDER, transcriptName(file)), `WEBVTT\n\n${blocks.join('\n')}`);
}

/** Writes what only the audio tells into the file of the episode; the rest of the file stays as its author wrote it. */
async function writeTimes(file: EpisodeFile, { chapterStarts, cues, seconds }: Recording): Promise<void> {
  const document = parseDocument(await readFile(file.path, 'utf8'));
  for (const [i, start] of chapterStarts.entries()) document.setIn(['chapters', i, 'start'], formatTime(start));
  const quoted = splitSentences(file.episode.soundbite.quote).flat();
  const from = cues.findIndex((_, i) => quoted.every((sentence, n) => cues[i + n]?.text === sentence));
  const [first, last] = [cues[from], cues[from + quoted.length - 1]];
  if (!first || !last) throw new Error(`Nobody says “${file.episode.soundbite.quote}” in ${file.path}.`);
  document.setIn(['soundbite', 'start'], formatTime(first.start));
  document.setIn(['soundbite', 'duration'], formatTime(last.end - first.start));
  document.set('duration', formatTime(seconds));
  const audio = FORMATS.map(async ({ extension, type }) => {
    const name = audioName(file, extension);
    return { file: name, type, bytes: (await stat(join(PODCAST_FOLDER, name))).size };
  });
  document.set('audio', await Promise.all(audio));
  document.set('transcript', transcriptName(file));
  await writeFile(file.path, document.toString({ lineWidth: 0 }));
}

function audioName({ episode }: EpisodeFile, extension: string): string {
  return `audio/${episode.slug}.${extension}`;
}

function transcriptName({ episode }: EpisodeFile): string {
  return `transcripts/${episode.slug}.vtt`;
}

/** What ffmpeg says about its work. */
function ffmpeg(options: readonly string[]): string {
  const { status, stderr } = spawnSync('ffmpeg', ['-hide_banner', '-nostats', '-y', ...options], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`ffmpeg failed:\n${stderr}`);
  return stderr;
}

function escaped(value: string): string {
  return value.replace(/[=;#\\\n]/g, (character) => `\\${character}`);
}

function milliseconds(seconds = 0): number {
  return Math.round(seconds * 1000);
}
