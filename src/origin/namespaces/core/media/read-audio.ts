import { readId3 } from './read-id3.ts';
import { readMovie } from './read-movie.ts';

const BITRATES_KBPS = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const;
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;
const CHANNEL_MODES = ['stereo', 'joint stereo', 'dual channel', 'mono'] as const;
const BITS = 16;

/** Measures and tags of a sound, in the names `media_details` uses; MP3 and MP4 are understood, others only named. */
export function readAudio(bytes: Uint8Array, mimeType: string): Record<string, unknown> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (file.toString('latin1', 4, 8) === 'ftyp') return { ...readSoundOfMovie(file), mime_type: mimeType };
    if (mimeType === 'audio/mpeg') return { ...readMp3(file), mime_type: mimeType };
  } catch {
    // It ends before it says it does: nothing is known of it.
  }
  return { mime_type: mimeType };
}

/** `0:02`, `1:02:03` */
export function formatLength(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

const two = (value: number) => String(value).padStart(2, '0');

function readSoundOfMovie(file: Buffer): Record<string, unknown> {
  const { seconds, audio } = readMovie(file);
  const length = Math.round(seconds);
  return { ...audio, fileformat: 'mp4', length, length_formatted: formatLength(length) };
}

function readMp3(file: Buffer): Record<string, unknown> {
  const { tags, end } = readId3(file);
  const frame = findFrame(file, end);
  if (!frame) return tags;
  const { start, version, bitrate: firstBitrate, sampleRate, channels, channelMode } = frame;
  const table = readFrameTable(file, start, { version, channels });
  const audioBytes = file.length - start;
  const samples = version === 1 ? 1152 : 576;
  const seconds = table ? (table.frames * samples) / sampleRate : (audioBytes * 8) / firstBitrate;
  const bitrate = table ? (table.bytes * 8) / seconds : firstBitrate;
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

/** The first frame of layer III, within reach of where sound should begin. */
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
    const channelMode = CHANNEL_MODES[(header >>> 6) & 3] ?? 'stereo';
    return { start, version, bitrate: kbps * 1000, sampleRate, channelMode, channels: channelMode === 'mono' ? 1 : 2 };
  }
  return undefined;
}

/** Encoders that vary the rate write into the first frame how many there are. */
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
