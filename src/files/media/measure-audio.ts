import { findTagsEnd, measureFrames } from './read-audio.ts';
import { readMovieSeconds } from './read-movie.ts';

/** Formats with a readable duration. */
export type AudioFormat = 'mp3' | 'ogg' | 'mp4';

export interface AudioMeasurement {
  format: AudioFormat;
  /** Undefined if missing or implausible. */
  durationMs: number | undefined;
}

/** A file that is read in a few small chunks, whatever its size. */
export interface RandomAccessFile {
  bytes: number;
  /** Returns fewer bytes at the end of the file. */
  read(start: number, length: number): Promise<Buffer>;
}

/** Size of a chunk: two pages of Ogg, the largest structure to find. */
const CHUNK_BYTES = 128 * 1024;
/** Maximum number of top-level boxes of an MP4. Most files have about five; a fragmented one may have a hundred. */
const MAX_BOXES = 200;
const OPUS_RATE = 48_000;
/** Longer durations are considered forged. */
const MAX_SECONDS = 100 * 3600;

/**
 * Measures an audio file: MP3 by its first frame and its table, Ogg by its last page, MP4 by its index.
 *
 * @returns undefined for other formats
 */
export async function measureAudio(file: RandomAccessFile): Promise<AudioMeasurement | undefined> {
  const head = await file.read(0, CHUNK_BYTES);
  if (head.toString('latin1', 4, 8) === 'ftyp') return toResult('mp4', await findMovieSeconds(file));
  if (head.toString('latin1', 0, 4) === 'OggS') return measureOgg(file, head);
  const end = findTagsEnd(head);
  if (end >= file.bytes) return undefined;
  const chunk = end + CHUNK_BYTES / 2 <= head.length ? head.subarray(end) : await file.read(end, CHUNK_BYTES);
  const frames = measureFrames(chunk, 0, file.bytes - end);
  return frames && toResult('mp3', frames.seconds);
}

function toResult(format: AudioFormat, seconds: number): AudioMeasurement {
  const isSensible = seconds > 0 && seconds <= MAX_SECONDS;
  return { format, durationMs: isSensible ? Math.round(seconds * 1000) : undefined };
}

/** Skips from box to box, because the index may follow hours of audio. */
async function findMovieSeconds(file: RandomAccessFile): Promise<number> {
  let at = 0;
  for (let n = 0; n < MAX_BOXES && at + 16 <= file.bytes; n += 1) {
    const header = await file.read(at, 16);
    if (header.length < 16) return 0;
    if (header.toString('latin1', 4, 8) === 'moov') return readMovieSeconds(await file.read(at, CHUNK_BYTES));
    const short = header.readUInt32BE(0);
    const size = short === 1 ? Number(header.readBigUInt64BE(8)) : short;
    // A size of 0 means until the end of the file.
    if (size < 8) return 0;
    at += size;
  }
  return 0;
}

/** Computes the duration from the granule position of the last page, in samples (RFC 3533; RFC 7845, section 4). */
async function measureOgg(file: RandomAccessFile, head: Buffer): Promise<AudioMeasurement | undefined> {
  const codec = readOggCodec(head);
  if (!codec) return undefined;
  const tail = await file.read(Math.max(0, file.bytes - CHUNK_BYTES), CHUNK_BYTES);
  for (let at = tail.lastIndexOf('OggS'); at >= 0; at = at === 0 ? -1 : tail.lastIndexOf('OggS', at - 1)) {
    if (at + 18 > tail.length || tail.readUInt32LE(at + 14) !== codec.stream) continue;
    const position = Number(tail.readBigInt64LE(at + 6));
    // Pages on which no packet ends have no position.
    if (position >= 0) return toResult('ogg', (position - codec.skipped) / codec.rate);
  }
  return toResult('ogg', 0);
}

/** Reads the stream and codec from the first page, which determine the unit of positions. */
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
