import { endOfTags, measureFrames } from './read-audio.ts';
import { readMovieSeconds } from './read-movie.ts';

/** Formats whose duration is read. */
export type AudioFormat = 'mp3' | 'ogg' | 'mp4';

export interface MeasuredAudio {
  format: AudioFormat;
  /** Undefined where the file does not say, or says what can't be. */
  durationMs: number | undefined;
}

/** A file of which few and small parts are read, however large it is or claims to be. */
export interface RandomAccessFile {
  bytes: number;
  /** May be shorter at the end of the file. */
  read(start: number, length: number): Promise<Buffer>;
}

/** Room for two pages of Ogg, which are the largest thing that is looked for. */
const PART_BYTES = 128 * 1024;
/** Boxes at the top of an MP4; a film has about five, one in pieces for streaming some hundred. */
const MAX_BOXES = 200;
const OPUS_RATE = 48_000;
/** No recording is longer; forged files claim to be. */
const MAX_SECONDS = 100 * 3600;

/**
 * Measures an audio file by its headers: MP3 by its first frame and the table in it, Ogg by its last page, MP4 by its index.
 *
 * @returns undefined for what is none of these
 */
export async function measureAudio(file: RandomAccessFile): Promise<MeasuredAudio | undefined> {
  const head = await file.read(0, PART_BYTES);
  if (head.toString('latin1', 4, 8) === 'ftyp') return measured('mp4', await findMovieSeconds(file));
  if (head.toString('latin1', 0, 4) === 'OggS') return measureOgg(file, head);
  const end = endOfTags(head);
  if (end >= file.bytes) return undefined;
  const part = end + PART_BYTES / 2 <= head.length ? head.subarray(end) : await file.read(end, PART_BYTES);
  const frames = measureFrames(part, 0, file.bytes - end);
  return frames && measured('mp3', frames.seconds);
}

function measured(format: AudioFormat, seconds: number): MeasuredAudio {
  const isSensible = seconds > 0 && seconds <= MAX_SECONDS;
  return { format, durationMs: isSensible ? Math.round(seconds * 1000) : undefined };
}

/** Jumps from box to box: the index may come after hours of audio. */
async function findMovieSeconds(file: RandomAccessFile): Promise<number> {
  let at = 0;
  for (let n = 0; n < MAX_BOXES && at + 16 <= file.bytes; n += 1) {
    const header = await file.read(at, 16);
    if (header.length < 16) return 0;
    if (header.toString('latin1', 4, 8) === 'moov') return readMovieSeconds(await file.read(at, PART_BYTES));
    const short = header.readUInt32BE(0);
    const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
    // 0 reaches to the end of the file.
    if (size < 8) return 0;
    at += size;
  }
  return 0;
}

/** The position of the last page, in samples, counts from the first one (RFC 3533; RFC 7845, section 4). */
async function measureOgg(file: RandomAccessFile, head: Buffer): Promise<MeasuredAudio | undefined> {
  const codec = readOggCodec(head);
  if (!codec) return undefined;
  const tail = await file.read(Math.max(0, file.bytes - PART_BYTES), PART_BYTES);
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
    if (at + 18 > tail.length || tail.readUInt32LE(at + 14) !== codec.stream) continue;
    const position = Number(tail.readBigInt64LE(at + 6));
    // Pages on which no packet ends have no position.
    if (position >= 0) return measured('ogg', (position - codec.skipped) / codec.rate);
  }
  return measured('ogg', 0);
}

/** The first page names its stream and codec, and with them what positions count. */
function readOggCodec(head: Buffer): { stream: number; rate: number; skipped: number } | undefined {
  if (head.length < 64) return undefined;
  const stream = head.readUInt32LE(14);
  const start = 27 + head.readUInt8(26);
  if (start + 20 > head.length) return undefined;
  const name = head.toString('latin1', start, start + 8);
  if (name === 'OpusHead') return { stream, rate: OPUS_RATE, skipped: head.readUInt16LE(start + 10) };
  if (name.startsWith('\u0001vorbis')) return { stream, rate: head.readUInt32LE(start + 12), skipped: 0 };
  return undefined;
}
