/** Seconds between the MP4 epoch (1904) and 1970. */
const EPOCH_SECONDS = 2_082_844_800;
const FOLDERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl']);
const MAX_BOXES = 10_000;
/** Maximum size of an audio track description; real ones have a few hundred bytes. */
const MAX_ENTRY_BYTES = 64 * 1024;
/** Maximum bytes of an MPEG-4 descriptor length. */
const MAX_LENGTH_BYTES = 4;

const CODECS: Readonly<Record<string, string>> = {
  avc1: 'H.264/MPEG-4 AVC',
  hvc1: 'H.265/HEVC',
  hev1: 'H.265/HEVC',
  av01: 'AV1',
  mp4a: 'ISO/IEC 14496-3 AAC',
};

interface Box {
  type: string;
  /** Offset of the content. */
  start: number;
  end: number;
}

/**
 * Reads duration, size and codecs of an MP4 or QuickTime video, under the names of `media_details`. Returns only the
 * type of other formats.
 */
export function readVideo(bytes: Uint8Array, mimeType: string): Record<string, unknown> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.toString('latin1', 4, 8) !== 'ftyp') return { mime_type: mimeType };
  try {
    const { seconds, createdAt, bitrate, video, audio } = readMovie(file);
    const length = Math.round(seconds);
    return {
      bitrate: Math.round(bitrate - (audio.bitrate ?? 0)),
      mime_type: mimeType,
      length,
      length_formatted: formatLength(length),
      ...(video ? { width: video.width, height: video.height } : {}),
      fileformat: 'mp4',
      dataformat: 'quicktime',
      ...(video ? { codec: video.codec } : {}),
      ...(Object.keys(audio).length > 0 ? { audio } : {}),
      created_timestamp: createdAt,
    };
  } catch {
    // The file is truncated.
    return { mime_type: mimeType };
  }
}

/** `0:02`, `1:02:03` */
export function formatLength(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}

const pad = (value: number) => String(value).padStart(2, '0');

/** Reads the headers of an MP4 or QuickTime file. @throws RangeError if the file is truncated */
export function readMovie(file: Buffer) {
  const boxes = listBoxes(file);
  const header = boxes.find(({ type }) => type === 'mvhd');
  const { createdAt, seconds } = header ? readHeader(file, header.start) : { createdAt: 0, seconds: 0 };
  const content = boxes.find(({ type }) => type === 'mdat');
  const entries = boxes.filter(({ type }) => type === 'stsd').map(({ start }) => start + 8);
  const nameAt = (entry: number) => file.toString('latin1', entry + 4, entry + 8);
  const audioEntry = entries.find((entry) => nameAt(entry) === 'mp4a');
  const videoEntry = entries.find((entry) => nameAt(entry) !== 'mp4a' && file.readUInt16BE(entry + 32) > 0);
  return {
    seconds,
    /** Seconds since 1970. */
    createdAt,
    /** Total bits per second. */
    bitrate: content && seconds > 0 ? ((file.length - content.start) * 8) / seconds : 0,
    video:
      videoEntry === undefined
        ? undefined
        : {
            width: file.readUInt16BE(videoEntry + 32),
            height: file.readUInt16BE(videoEntry + 34),
            codec: CODECS[nameAt(videoEntry)] ?? nameAt(videoEntry).replaceAll(/[^\w-]/g, ''),
          },
    audio: readAudioTrack(file, audioEntry),
  };
}

/** Returns the duration in seconds from a `moov` box or its beginning; 0 if unknown. */
export function readMovieSeconds(moov: Buffer): number {
  const header = listBoxes(moov).find(({ type, start }) => type === 'mvhd' && start + 32 <= moov.length);
  return header ? readHeader(moov, header.start).seconds : 0;
}

function listBoxes(file: Buffer): Box[] {
  const found: Box[] = [];
  const queue: [start: number, end: number][] = [[0, file.length]];
  for (let range = queue.shift(); range; range = queue.shift()) {
    let [at] = range;
    while (at + 8 <= range[1] && found.length < MAX_BOXES) {
      const short = file.readUInt32BE(at);
      const size = short === 1 ? Number(file.readBigUInt64BE(at + 8)) : short === 0 ? range[1] - at : short;
      if (size < 8) break;
      const box = {
        type: file.toString('latin1', at + 4, at + 8),
        start: at + (short === 1 ? 16 : 8),
        end: Math.min(at + size, range[1]),
      };
      found.push(box);
      if (FOLDERS.has(box.type)) queue.push([box.start, box.end]);
      at += size;
    }
  }
  return found;
}

function readHeader(file: Buffer, start: number): { createdAt: number; seconds: number } {
  const isLong = file.readUInt8(start) === 1;
  const created = isLong ? Number(file.readBigUInt64BE(start + 4)) : file.readUInt32BE(start + 4);
  const scale = file.readUInt32BE(start + (isLong ? 20 : 12));
  const duration = isLong ? Number(file.readBigUInt64BE(start + 24)) : file.readUInt32BE(start + 16);
  return { createdAt: created - EPOCH_SECONDS, seconds: scale > 0 ? duration / scale : 0 };
}

function readAudioTrack(file: Buffer, entry: number | undefined): Record<string, unknown> & { bitrate?: number } {
  if (entry === undefined) return {};
  const channels = file.readUInt16BE(entry + 24);
  const bits = file.readUInt16BE(entry + 26);
  const sampleRate = file.readUInt16BE(entry + 32);
  const bytes = Math.min(file.readUInt32BE(entry), MAX_ENTRY_BYTES);
  const bitrate = readAverageBitrate(file.subarray(entry, entry + bytes));
  return {
    dataformat: 'mp4',
    ...(bitrate > 0 ? { bitrate } : {}),
    codec: CODECS['mp4a'],
    sample_rate: sampleRate,
    channels,
    bits_per_sample: bits,
    lossless: false,
    channelmode: channels === 1 ? 'mono' : 'stereo',
    ...(bitrate > 0 ? { compression_ratio: bitrate / (sampleRate * channels * bits) } : {}),
  };
}

/**
 * Reads the average bit rate, the last field of the decoder configuration: tag 4, length, type, stream, buffer size,
 * maximum and average bit rate.
 */
function readAverageBitrate(entry: Buffer): number {
  const esds = entry.indexOf('esds', 0, 'latin1');
  const tag = esds < 0 ? -1 : entry.indexOf(4, esds + 8);
  if (tag < 0) return 0;
  let at = tag + 1;
  while (at < tag + MAX_LENGTH_BYTES && entry.readUInt8(at) >= 128) at += 1;
  return entry.readUInt32BE(at + 1 + 9);
}
