import { setImmediate } from 'node:timers/promises';
import { fileTypeFromBuffer } from 'file-type';
import { hasPdfHeader } from '#files/media/has-pdf-header.ts';
import { isUploadType, UPLOAD_TYPES } from '#origin/platform/files/upload-types.ts';
import type { FileName } from '#origin/platform/media/media-files.ts';

/** What the bytes of a type are recognised as, where that is not the type itself. */
const RECOGNISED_AS: Readonly<Record<string, readonly string[]>> = {
  'audio/mpeg': ['audio/mpeg', 'audio/x-m4a', 'audio/mp4', 'video/mp4'],
  'audio/ogg': ['audio/ogg', 'audio/ogg; codecs=opus', 'application/ogg'],
  'audio/wav': ['audio/wav', 'audio/vnd.wave'],
  'audio/flac': ['audio/flac', 'audio/x-flac'],
  'video/mp4': ['video/mp4', 'video/x-m4v'],
  'video/ogg': ['video/ogg', 'application/ogg'],
  'video/mpeg': ['video/mpeg', 'video/MP1S', 'video/MP2P'],
  'video/x-matroska': ['video/x-matroska', 'video/matroska'],
  'image/heic': ['image/heic', 'image/heif'],
  'image/heif': ['image/heic', 'image/heif'],
  'application/msword': ['application/x-cfb'],
  'application/vnd.ms-excel': ['application/x-cfb'],
  'application/vnd.ms-powerpoint': ['application/x-cfb'],
};

const byExtension = new Map(
  Object.entries(UPLOAD_TYPES).flatMap(([type, extensions]) => extensions.map((extension) => [extension, type])),
);

export interface RecognisedFile extends FileName {
  mimeType: string;
}

/**
 * What a file is by its bytes, which its name has to agree with. Pictures of another type than their name says get
 * the right extension. Nothing for what may not be uploaded, whoever does it: pages, scripts, SVG, and what pretends.
 */
export async function recogniseType(bytes: Uint8Array, name: FileName): Promise<RecognisedFile | undefined> {
  const claimed = byExtension.get(name.extension);
  if (claimed === undefined || name.base === '') return undefined;
  const recognised = (await fileTypeFromBuffer(bytes))?.mime;
  // A PNG with further frames.
  const found = recognised === 'image/apng' ? 'image/png' : recognised;
  if (claimed.startsWith('image/')) return recognisePicture(name, claimed, found);
  if (found === undefined) {
    const isClaimed = claimed === 'application/pdf' ? hasPdfHeader(bytes) : await isPlainText(claimed, bytes);
    return isClaimed ? { ...name, mimeType: claimed } : undefined;
  }
  const fits = found === claimed || (RECOGNISED_AS[claimed] ?? []).includes(found);
  return fits ? { ...name, mimeType: claimed } : undefined;
}

function recognisePicture(name: FileName, claimed: string, found: string | undefined): RecognisedFile | undefined {
  if (found === undefined || !found.startsWith('image/') || !isUploadType(found)) return undefined;
  if (found === claimed || RECOGNISED_AS[claimed]?.includes(found)) return { ...name, mimeType: claimed };
  return { ...name, extension: UPLOAD_TYPES[found]?.[0] ?? name.extension, mimeType: found };
}

const PIECE_BYTES = 1024 * 1024;
/** Without controls, in whatever encoding: spreadsheets still write old ones. Others are served between the pieces. */
async function isPlainText(claimed: string, bytes: Uint8Array): Promise<boolean> {
  if (!claimed.startsWith('text/')) return false;
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    if (hasControl(bytes.subarray(start, start + PIECE_BYTES))) return false;
    await setImmediate();
  }
  return true;
}

/** All but tabs, line ends and escapes. */
function hasControl(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 32 && (byte < 9 || byte > 13) && byte !== 27);
}
