import { open } from 'node:fs/promises';
import type { Options, Upstreams } from '#config/index.ts';
import { findMediaFile, MEDIA_FILES } from '#contracts/index.ts';
import { MAX_ANIMATION_BYTES } from '#contracts/media-file.ts';
import {
  describeOmitted,
  parseTranscript,
  transcriptMimeType,
  type TranscriptFormat,
} from '#contracts/podcast/transcript.ts';
import { measureAudio } from '#files/media/audio.ts';
import { hasPdfHeader } from '#files/media/file-text.ts';
import type { StoredAsset } from '#snapshot/index.ts';

/**
 * A kind of file that records refer to: how it is requested, validated and measured. To add a kind, declare it and list
 * it in `ASSET_KINDS`.
 */
export interface AssetKind {
  /** Name in the snapshot and in references. */
  kind: string;
  /** Expected file type as used in messages, such as `a PDF`. */
  what: string;
  /** Media types for the `Accept` header. */
  accept: string;
  /**
   * Maximum size of a file.
   * @default `sync.maxMediaBytes`
   */
  maxBytes?: number | ((options: Options) => number);
  /**
   * Decides whether the file is downloaded, only checked at its server, or ignored.
   * @default fetch
   */
  access?(options: Options, address: string): 'check' | 'ignore' | 'fetch';
  /** True if the file is streamed to disk and never held in memory. `check` then gets only its beginning. */
  isStreamed?: boolean;
  /** True if the file is checked whenever a record that refers to it changes, otherwise after `sync.fullReadHours`. */
  isCheckedWithRecord?: boolean;
  /** Validates the file type by its bytes; the server's media type is ignored. */
  check(bytes: Uint8Array, address: string): Promise<CheckedAsset>;
  /** True if a stored file has to be fetched and measured again. */
  isOutgrown?(stored: StoredAsset): boolean;
  /** Describes why pages show only a part of a valid file. */
  noteOn?(stored: StoredAsset): string | undefined;
  /** Measures the complete file on disk. Streamed kinds only. */
  measure?(file: string): Promise<StoredAsset['details']>;
}

type CheckedAsset =
  | ({
      ok: true;
      mimeType: string;
      extension: string;
      /** Problem of a part of the file, which is omitted. */
      warning?: string | undefined;
    } & Pick<StoredAsset, 'width' | 'height' | 'details'>)
  | { ok: false; problem: string };

/** Detects the file type from the first bytes. */
async function detectFileType(bytes: Uint8Array): Promise<{ ext: string; mime: string } | undefined> {
  // Load on demand: most runs fetch nothing.
  const { fileTypeFromBuffer } = await import('file-type');
  return fileTypeFromBuffer(bytes);
}

function describeFileType(bytes: Uint8Array, mimeType: string | undefined): string {
  if (bytes.length === 0) return 'empty';
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1').trimStart().toLowerCase();
  if (/^(<\?xml[^]*)?<svg\b/.test(start)) return 'SVG, which is not supported';
  if (/^<(!doctype html|html)\b/.test(start)) return 'HTML';
  return mimeType ?? 'of an unknown type';
}

/**
 * Creates the check for asset addresses: http(s) on an upstream's host and port, or on a configured host. A host
 * without a port allows only the default ports.
 */
export function createHostCheck(upstreams: Upstreams, mediaHosts: readonly string[]): (url: URL) => boolean {
  const upstreamHosts = [upstreams.product?.root, upstreams.publishing?.siteUrl].flatMap((address) =>
    address === undefined ? [] : [new URL(address).host],
  );
  const allowed = new Set([...upstreamHosts, ...mediaHosts.map((host) => host.toLowerCase())]);
  return (url) => /^https?:$/.test(url.protocol) && allowed.has(url.host);
}

/** Accepted types. SVG is excluded because it can contain scripts. An animated PNG is served as a PNG. */
const IMAGE_TYPES = ['image/png', 'image/apng', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif'];
const WHAT = 'a PNG, JPEG, WebP, AVIF or GIF image';

/** 100 megapixels: more than any product photo, and far less than a decoder can handle. */
const MAX_PIXELS = 100_000_000;

/** Images. Measures width and height after rotation, and the number of frames. */
const IMAGE: AssetKind = {
  kind: 'image',
  what: WHAT,
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,*/*;q=0.1',
  check: async (bytes) => {
    const { mime = '', ext: extension = '' } = (await detectFileType(bytes)) ?? {};
    if (!IMAGE_TYPES.includes(mime))
      return { ok: false, problem: `is not ${WHAT}, but ${describeFileType(bytes, mime || undefined)}` };
    const isAnimatedPng = mime === 'image/apng';
    // Load on demand: most runs fetch no images.
    const { default: sharp } = await import('sharp');
    try {
      const { autoOrient, pages = 1 } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
      const frames = isAnimatedPng ? pngFrames(bytes) : pages;
      return {
        ok: true,
        ...(isAnimatedPng ? { mimeType: 'image/png', extension: 'png' } : { mimeType: mime, extension }),
        width: autoOrient.width,
        height: autoOrient.height,
        ...(ANIMATED_TYPES.has(mime) && { details: { frames } }),
      };
    } catch (error) {
      const tooLarge = error instanceof Error && /pixel limit/i.test(error.message);
      return { ok: false, problem: tooLarge ? `has more than ${MAX_PIXELS} pixels` : 'is a damaged image' };
    }
  },
  // Earlier versions didn't count frames.
  isOutgrown: ({ mimeType = '', details }) => ANIMATED_TYPES.has(mimeType) && details === undefined,
  noteOn: ({ bytes = 0, details }) =>
    Number(details?.['frames']) > 1 && bytes > MAX_ANIMATION_BYTES
      ? `is an animation of ${bytes} bytes, so only its first frame is shown (the limit is ${MAX_ANIMATION_BYTES})`
      : undefined,
};

/** Types whose frames are counted. Most PNGs are stills; animated ones are detected as `image/apng`. */
const ANIMATED_TYPES = new Set(['image/gif', 'image/webp', 'image/apng']);

/** Returns the number of frames of an animated PNG, which precedes its image data. */
function pngFrames(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at)) {
    const type = file.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return file.readUInt32BE(at + 8);
    if (type === 'IDAT') break;
  }
  return 1;
}

/** Audio, video and other files that texts play or link to. */
const FILE: AssetKind = {
  kind: 'file',
  what: 'a file',
  accept: '*/*',
  access: ({ documents }, address) =>
    documents === 'link' && findMediaFile(address)?.isPlayed === false ? 'ignore' : 'fetch',
  check: checkFile,
};

/** First bytes of file types that other programs open. Types not listed here are text. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'docx epub odp ods odt pptx xlsx zip'.split(' ').map((extension) => [extension, 'PK\u0003\u0004']),
  ),
  ...Object.fromEntries('doc ppt rfa rvt xls'.split(' ').map((extension) => [extension, '\u00d0\u00cf\u0011\u00e0'])),
  dwg: 'AC10',
  rtf: '{\\rtf',
};

/**
 * Identifies playable audio and video by its bytes. A linked file must also match its extension, which decides how it
 * is served.
 */
async function checkFile(bytes: Uint8Array, address: string): Promise<CheckedAsset> {
  const found = (await detectFileType(bytes))?.mime;
  const claimed = findMediaFile(address);
  if (claimed && !claimed.isPlayed) {
    const { extension, mimeType } = claimed;
    const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
    const beginning = BEGINNINGS[extension];
    const fits = beginning === undefined ? isText(bytes) : start.startsWith(beginning);
    if (fits) return { ok: true, mimeType, extension };
    return { ok: false, problem: `is not a .${extension} file, but ${describeFileType(bytes, found)}` };
  }
  const matchesExtension = (extension: string) => PLAYED_AS[extension]?.includes(found ?? '') ?? false;
  const extension =
    claimed && matchesExtension(claimed.extension) ? claimed.extension : Object.keys(PLAYED_AS).find(matchesExtension);
  const played = extension === undefined ? undefined : MEDIA_FILES.get(extension);
  if (played) return { ok: true, mimeType: played.mimeType, extension: played.extension };
  return { ok: false, problem: `is neither audio nor video nor subtitles, but ${describeFileType(bytes, found)}` };
}

/** Extension -> detected media types. */
const PLAYED_AS: Readonly<Record<string, readonly string[]>> = {
  mp3: ['audio/mpeg'],
  mp4: ['video/mp4', 'video/x-m4v'],
  m4a: ['audio/x-m4a', 'audio/mp4', 'video/mp4'],
  m4v: ['video/x-m4v', 'video/mp4'],
  webm: ['video/webm', 'audio/webm', 'video/matroska', 'video/x-matroska'],
  weba: ['video/webm', 'audio/webm'],
  ogg: ['audio/ogg', 'audio/opus', 'audio/ogg; codecs=opus', 'application/ogg', 'video/ogg'],
  oga: ['audio/ogg'],
  opus: ['audio/opus', 'audio/ogg; codecs=opus', 'audio/ogg'],
  ogv: ['video/ogg'],
  mov: ['video/quicktime'],
  wav: ['audio/wav', 'audio/vnd.wave', 'audio/x-wav'],
  flac: ['audio/flac', 'audio/x-flac'],
  aac: ['audio/aac'],
  vtt: ['text/vtt'],
};

/** True for a text that isn't empty and that no browser renders as a page. */
function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && !/^(HTML|SVG|empty)/.test(describeFileType(bytes, undefined));
}

/** Detected media type -> extension. */
const TYPES: Readonly<Record<string, string>> = {
  'audio/mpeg': 'mp3',
  'audio/x-m4a': 'm4a',
  'audio/mp4': 'm4a',
  'audio/aac': 'aac',
  'audio/ogg': 'ogg',
  'audio/ogg; codecs=opus': 'opus',
  'audio/opus': 'opus',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
  'audio/wav': 'wav',
};

/** Audio of episodes. It can be of any length, so it is streamed to disk. */
const AUDIO: AssetKind = {
  kind: 'audio',
  what: 'audio',
  accept: 'audio/mpeg,audio/mp4,audio/ogg,audio/*;q=0.9,*/*;q=0.1',
  isStreamed: true,
  isCheckedWithRecord: true,
  maxBytes: ({ podcast }) => podcast.maxAudioBytes,
  access: ({ podcast }) => (podcast.audio === 'link' ? 'check' : 'fetch'),
  check: async (beginning) => {
    const found = (await detectFileType(beginning))?.mime;
    const extension = TYPES[found ?? ''];
    const mimeType = MEDIA_FILES.get(extension ?? '')?.mimeType;
    if (extension !== undefined && mimeType !== undefined) return { ok: true, mimeType, extension };
    return { ok: false, problem: `is not audio, but ${describeFileType(beginning, found)}` };
  },
  measure: async (file) => {
    await using handle = await open(file);
    const { size: bytes } = await handle.stat();
    const read = async (start: number, length: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
      return buffer.subarray(0, bytesRead);
    };
    const durationMs = (await measureAudio({ bytes, read }))?.durationMs;
    return durationMs === undefined ? undefined : { durationMs };
  },
};

const EXTENSIONS = { webvtt: 'vtt', srt: 'srt', json_podcastindex: 'json' } as const;

/** Transcript of an episode: WebVTT, SubRip or Podcasting 2.0 JSON, detected by its content. */
const TRANSCRIPT: AssetKind = {
  kind: 'transcript',
  what: 'a transcript',
  accept: 'text/vtt,application/x-subrip,application/json,*/*;q=0.1',
  isCheckedWithRecord: true,
  check: async (bytes) => {
    let text: string;
    try {
      text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      return { ok: false, problem: 'is not a transcript: it is not UTF-8 text' };
    }
    const other = describeFileType(bytes, undefined);
    if (other === 'HTML' || other === 'empty') return { ok: false, problem: `is not a transcript, but ${other}` };
    const format = formatOf(text);
    const parsed = parseTranscript(format, text);
    if (!parsed.ok) {
      const [first] = parsed.problems;
      return { ok: false, problem: `is not a transcript: ${[first?.field, first?.problem].filter(Boolean).join(' ')}` };
    }
    if (parsed.value.length === 0) return { ok: false, problem: 'is a transcript without cues' };
    const durationMs = parsed.value.reduce((end, { endMs }) => Math.max(end, endMs), 0);
    const omitted = describeOmitted(parsed.omitted);
    return {
      ok: true,
      mimeType: transcriptMimeType(format),
      extension: EXTENSIONS[format],
      details: { durationMs },
      warning: omitted && `is a transcript with unreadable parts, which are omitted: ${omitted}`,
    };
  },
};

function formatOf(text: string): TranscriptFormat {
  const start = text.trimStart();
  if (start.startsWith('WEBVTT')) return 'webvtt';
  return start.startsWith('{') || start.startsWith('[') ? 'json_podcastindex' : 'srt';
}

const PDF = { mimeType: 'application/pdf', extension: 'pdf' };

/** Documents of products, and documents linked in texts. Earlier declarations of performance stay available. */
const DOCUMENT: AssetKind = {
  kind: 'document',
  what: 'a PDF',
  accept: 'application/pdf,*/*;q=0.1',
  access: ({ documents }) => (documents === 'link' ? 'check' : 'fetch'),
  check: async (bytes) => {
    const found = (await detectFileType(bytes))?.mime;
    const isPdf = found === undefined ? hasPdfHeader(bytes) : found === PDF.mimeType;
    return isPdf ? { ok: true, ...PDF } : { ok: false, problem: `is not a PDF, but ${describeFileType(bytes, found)}` };
  },
};

/** All kinds of files that records can refer to. */
export const ASSET_KINDS: readonly AssetKind[] = [IMAGE, DOCUMENT, FILE, AUDIO, TRANSCRIPT];

/** The kinds of files for a site, whose documents may have further types. */
export function assetKindsFor({ documentKinds }: Pick<Options, 'documentKinds'>): readonly AssetKind[] {
  const types = new Set(documentKinds.flatMap((kind) => kind.types));
  if (types.size === 1) return ASSET_KINDS;
  const check: AssetKind['check'] = (bytes, address) => {
    const claimed = findMediaFile(address);
    const isOther = claimed?.kind === 'file' && types.has(claimed.extension);
    return isOther ? checkFile(bytes, address) : DOCUMENT.check(bytes, address);
  };
  return ASSET_KINDS.map((kind) => (kind === DOCUMENT ? { ...DOCUMENT, what: 'a document', check } : kind));
}
