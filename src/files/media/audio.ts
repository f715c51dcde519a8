import { cutFileText, MAX_FILE_TEXT_BYTES } from './file-text.ts';
import { formatLength, readMovie, readMovieSeconds } from './read-movie.ts';

const BITRATES_KBPS = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;
const CHANNEL_MODES = ['stereo', 'joint stereo', 'dual channel', 'mono'] as const;
const BITS = 16;

/** ID3v2 frames that the interface exposes -> their names there. */
const FRAMES: Readonly<Record<string, string>> = {
  TIT2: 'title',
  TPE1: 'artist',
  TALB: 'album',
  TRCK: 'track_number',
  TCON: 'genre',
  TCOM: 'composer',
  TDRC: 'recording_time',
  TYER: 'year',
  TSSE: 'encoder_settings',
};
/** Maximum number of frames read. Encoders write a few dozen, but a file may contain hundreds of thousands. */
const MAX_FRAMES = 500;
const ENCODINGS = ['latin1', 'utf16le', 'utf16be', 'utf8'] as const;

/**
 * Reads duration, format and tags of an MP3 or MP4 file, under the names of `media_details`. Returns only the type of
 * other formats. Custom code, because music-metadata 12 takes 16 seconds for a megabyte of crafted MP3.
 */
export function readAudio(bytes: Uint8Array, mimeType: string): Record<string, unknown> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (file.toString('latin1', 4, 8) === 'ftyp') return { ...readMovieAudio(file), mime_type: mimeType };
    if (mimeType === 'audio/mpeg') return { ...readMp3(file), mime_type: mimeType };
  } catch {
    // The file is truncated.
  }
  return { mime_type: mimeType };
}

function readMovieAudio(file: Buffer): Record<string, unknown> {
  const { seconds, audio } = readMovie(file);
  const length = Math.round(seconds);
  return { ...audio, fileformat: 'mp4', length, length_formatted: formatLength(length) };
}

function readMp3(file: Buffer): Record<string, unknown> {
  const { tags, end } = readId3(file);
  const frames = measureFrames(file, end, file.length);
  if (!frames) return tags;
  const { seconds, bitrate, table, sampleRate, channels, channelMode } = frames;
  const length = Math.round(seconds);
  return {
    dataformat: 'mp3',
    channels,
    sample_rate: sampleRate,
    bitrate,
    channelmode: channelMode,
    bitrate_mode: table ? 'vbr' : 'cbr',
    lossless: false,
    encoder_options: table ? 'VBR' : `CBR${Math.round(bitrate / 1000)}`,
    compression_ratio: bitrate / (channels * sampleRate * BITS),
    fileformat: 'mp3',
    length,
    length_formatted: formatLength(length),
    ...tags,
  };
}

/**
 * Measures an MP3 by its first frame.
 *
 * @param chunk The beginning of the file, or a chunk of it.
 * @param from End of the leading tags in the chunk.
 * @param bytes Bytes from the start of the chunk to the end of the file.
 */
function measureFrames(chunk: Buffer, from: number, bytes: number) {
  const frame = findFrame(chunk, from);
  if (!frame) return undefined;
  const { start, version, samples, bitrate: firstBitrate, sampleRate, channels } = frame;
  const table = readFrameTable(chunk, start, { version, channels });
  const seconds = table ? (table.frames * samples) / sampleRate : ((bytes - start) * 8) / firstBitrate;
  const bitrate = table ? (table.bytes * 8) / seconds : firstBitrate;
  return { ...frame, table, seconds, bitrate };
}

/** Returns the end of the leading ID3v2 tags, as claimed by their header; it may exceed the file. */
function findTagsEnd(file: Buffer): number {
  return file.length >= 10 && file.toString('latin1', 0, 3) === 'ID3' ? 10 + readSyncSafe(file, 6) : 0;
}

/** Finds the first layer III frame within 64 KiB of the expected start. */
function findFrame(file: Buffer, from: number) {
  const last = Math.min(file.length - 4, from + 64 * 1024);
  for (let start = from; start <= last; start += 1) {
    const header = file.readUInt32BE(start);
    if (header >>> 21 !== 0x7ff || ((header >>> 17) & 3) !== 1) continue;
    const versionBits = (header >>> 19) & 3;
    const version = versionBits === 3 ? 1 : 2;
    const kbps = BITRATES_KBPS[version][(header >>> 12) & 15];
    const fullRate = SAMPLE_RATES[(header >>> 10) & 3];
    if (!kbps || fullRate === undefined || versionBits === 1) continue;
    const sampleRate = versionBits === 3 ? fullRate : versionBits === 2 ? fullRate / 2 : fullRate / 4;
    const samples = version === 1 ? 1152 : 576;
    const next = start + Math.floor((samples / 8) * ((kbps * 1000) / sampleRate)) + ((header >>> 9) & 1);
    // Other bytes may look like a frame, so the next frame must follow.
    if (next + 4 <= file.length && file.readUInt32BE(next) >>> 21 !== 0x7ff) continue;
    const channelMode = CHANNEL_MODES[(header >>> 6) & 3] ?? 'stereo';
    const channels = channelMode === 'mono' ? 1 : 2;
    return { start, version, samples, bitrate: kbps * 1000, sampleRate, channelMode, channels };
  }
  return undefined;
}

/** Reads the frame count that encoders with a variable bit rate write into the first frame. */
function readFrameTable(
  file: Buffer,
  start: number,
  { version, channels }: { version: number; channels: number },
): { frames: number; bytes: number } | undefined {
  const side = version === 1 ? (channels === 1 ? 17 : 32) : channels === 1 ? 9 : 17;
  const at = start + 4 + side;
  if (!['Xing', 'Info'].includes(file.toString('latin1', at, at + 4))) return undefined;
  const hasBoth = (file.readUInt32BE(at + 4) & 3) === 3;
  const [frames, bytes] = hasBoth ? [file.readUInt32BE(at + 8), file.readUInt32BE(at + 12)] : [0, 0];
  return frames > 0 && bytes > 0 ? { frames, bytes } : undefined;
}

/** Reads the leading ID3v2 tags and their end. Damaged tags are omitted. */
function readId3(file: Buffer): { tags: Record<string, string>; end: number } {
  if (file.toString('latin1', 0, 3) !== 'ID3') return { tags: {}, end: 0 };
  const version = file.readUInt8(3);
  const end = Math.min(file.length, findTagsEnd(file));
  // ID3v2.2 has shorter frames and is hardly used any more.
  if (version < 3) return { tags: {}, end };
  const tags: Record<string, string> = {};
  let at = 10;
  for (let read = 0; read < MAX_FRAMES && at + 10 <= end; read += 1) {
    const id = file.toString('latin1', at, at + 4);
    const size = version >= 4 ? readSyncSafe(file, at + 4) : file.readUInt32BE(at + 4);
    if (!/^[A-Z\d]{4}$/.test(id) || size === 0 || at + 10 + size > end) break;
    const name = FRAMES[id];
    if (name !== undefined) tags[name] = readText(file.subarray(at + 10, at + 10 + size));
    at += 10 + size;
  }
  const year = /^\d{4}/.exec(tags['recording_time'] ?? '')?.[0];
  return { tags: { ...tags, ...(year === undefined ? {} : { year }) }, end };
}

/** Reads a sync-safe integer: seven bits per byte. */
function readSyncSafe(file: Buffer, at: number): number {
  return [0, 1, 2, 3].reduce((sum, n) => sum * 128 + (file.readUInt8(at + n) & 127), 0);
}

function readText(frame: Buffer): string {
  const encoding = ENCODINGS[frame.readUInt8(0)] ?? 'latin1';
  const text = frame.subarray(1, 1 + MAX_FILE_TEXT_BYTES);
  const isBig = encoding === 'utf16be' || (encoding === 'utf16le' && text.toString('hex', 0, 2) === 'feff');
  const plain =
    encoding === 'latin1' || encoding === 'utf8'
      ? text.toString(encoding)
      : new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(text);
  return cutFileText(withoutPadding(plain.replace(/^\uFEFF/, '')).replaceAll('\0', ', '));
}

function withoutPadding(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end -= 1;
  return text.slice(0, end);
}

/** Formats with a readable duration. */
export type AudioFormat = 'mp3' | 'ogg' | 'mp4';

export interface AudioMeasurement {
  format: AudioFormat;
  /** Undefined if missing or implausible. */
  durationMs: number | undefined;
}

/** A file that is read in a few small chunks, whatever its size. */
interface RandomAccessFile {
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
