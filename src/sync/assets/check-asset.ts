import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { MEDIA_FILES, mediaFileOf } from '#contracts/index.ts';
import type { AssetReference } from '#snapshot/index.ts';

export type CheckedAsset =
  | {
      ok: true;
      mimeType: string;
      extension: string;
      /** In pixels, upright; images only. */
      width: number | undefined;
      height: number | undefined;
    }
  | { ok: false; problem: string };

/** By their first bytes, whatever the server says. SVG isn't among them: it can hold scripts. */
const TYPES: Readonly<Record<'image' | 'document', readonly string[]>> = {
  image: ['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif'],
  document: ['application/pdf'],
};

/** 100 megapixels: beyond any product photo, and well below what a decoder would choke on. */
const MAX_PIXELS = 100_000_000;

/** Tells by its bytes whether a file is what it should be, and measures images. */
export async function checkAsset(bytes: Uint8Array, { kind, address }: AssetReference): Promise<CheckedAsset> {
  if (kind === 'file') return checkFile(bytes, address);
  const type = await fileTypeFromBuffer(bytes);
  const mimeType: string | undefined = type?.mime;
  if (!type || !mimeType || !TYPES[kind].includes(mimeType)) {
    const wanted = kind === 'image' ? 'a PNG, JPEG, WebP, AVIF or GIF image' : 'a PDF';
    return { ok: false, problem: `is not ${wanted}, but ${describeOther(bytes, mimeType)}` };
  }
  const named = { ok: true as const, mimeType, extension: type.ext };
  if (kind === 'document') return { ...named, width: undefined, height: undefined };
  try {
    const { autoOrient } = await sharp(bytes, { limitInputPixels: MAX_PIXELS }).metadata();
    return { ...named, width: autoOrient.width, height: autoOrient.height };
  } catch (error) {
    const tooLarge = error instanceof Error && /pixel limit/i.test(error.message);
    return { ok: false, problem: tooLarge ? `has more than ${MAX_PIXELS} pixels` : 'is a damaged image' };
  }
}

/** How files begin that are opened elsewhere; those that aren't here are text. */
const BEGINNINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'docx epub odp ods odt pptx xlsx zip'.split(' ').map((extension) => [extension, 'PK\u0003\u0004']),
  ),
  ...Object.fromEntries('doc ppt xls'.split(' ').map((extension) => [extension, '\u00d0\u00cf\u0011\u00e0'])),
  dwg: 'AC10',
  rtf: '{\\rtf',
};

/**
 * What texts play is told by its bytes alone; what they link to must also be what the end of its address says, as that
 * is how it will be served.
 */
async function checkFile(bytes: Uint8Array, address: string): Promise<CheckedAsset> {
  const unmeasured = { ok: true as const, width: undefined, height: undefined };
  const found: string | undefined = (await fileTypeFromBuffer(bytes))?.mime;
  const claimed = mediaFileOf(address);
  if (claimed && !claimed.isPlayed) {
    const { extension, mimeType } = claimed;
    const start = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
    const beginning = BEGINNINGS[extension];
    const fits = beginning === undefined ? isText(bytes) : start.startsWith(beginning);
    if (fits) return { ...unmeasured, mimeType, extension };
    return { ok: false, problem: `is not a .${extension} file, but ${describeOther(bytes, found)}` };
  }
  const isAs = (extension: string) => PLAYED_AS[extension]?.includes(found ?? '') ?? false;
  const extension = claimed && isAs(claimed.extension) ? claimed.extension : Object.keys(PLAYED_AS).find(isAs);
  const played = extension === undefined ? undefined : MEDIA_FILES.get(extension);
  if (played) return { ...unmeasured, mimeType: played.mimeType, extension: played.extension };
  return { ok: false, problem: `is neither audio nor video nor subtitles, but ${describeOther(bytes, found)}` };
}

/** Extension -> what its bytes look like. */
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

/** Text, and none that a browser would take for a page. */
function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && !describesPage(bytes);
}

function describesPage(bytes: Uint8Array): boolean {
  return /^(HTML|SVG)/.test(describeOther(bytes, undefined));
}

function describeOther(bytes: Uint8Array, mimeType: string | undefined): string {
  if (bytes.length === 0) return 'empty';
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1').trimStart().toLowerCase();
  if (/^(<\?xml[^]*)?<svg\b/.test(start)) return 'SVG, which is never taken over';
  if (/^<(!doctype html|html)\b/.test(start)) return 'HTML';
  return mimeType ?? 'of an unknown type';
}
