import { setImmediate } from 'node:timers/promises';
import { fileTypeFromBuffer } from 'file-type';
import { hasPdfHeader } from '#files/media/has-pdf-header.ts';
import { isUploadType, UPLOAD_TYPES } from '#origin/platform/files/upload-types.ts';
import type { FileName } from '#origin/platform/media/media-files.ts';

/** MIME types that `file-type` may detect for a file of a type, if not the type itself. */
const DETECTED_AS: Readonly<Record<string, readonly string[]>> = {
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

export interface TypedFile extends FileName {
  mimeType: string;
}

/**
 * Detects the type of a file from its bytes. The type must match the extension, except for images, whose extension is
 * corrected. Returns undefined for files that no role can upload, such as HTML, scripts, SVG and disguised files.
 */
export async function detectUploadType(bytes: Uint8Array, name: FileName): Promise<TypedFile | undefined> {
  const claimed = byExtension.get(name.extension);
  if (claimed === undefined || name.base === '') return undefined;
  const mime = (await fileTypeFromBuffer(bytes))?.mime;
  // An animated PNG.
  const detected = mime === 'image/apng' ? 'image/png' : mime;
  if (claimed.startsWith('image/')) return matchImageType(name, claimed, detected);
  if (detected === undefined) {
    const isClaimed = claimed === 'application/pdf' ? hasPdfHeader(bytes) : await isPlainText(claimed, bytes);
    return isClaimed ? { ...name, mimeType: claimed } : undefined;
  }
  const matches = detected === claimed || (DETECTED_AS[claimed] ?? []).includes(detected);
  return matches ? { ...name, mimeType: claimed } : undefined;
}

function matchImageType(name: FileName, claimed: string, detected: string | undefined): TypedFile | undefined {
  if (detected === undefined || !detected.startsWith('image/') || !isUploadType(detected)) return undefined;
  if (detected === claimed || DETECTED_AS[claimed]?.includes(detected)) return { ...name, mimeType: claimed };
  return { ...name, extension: UPLOAD_TYPES[detected]?.[0] ?? name.extension, mimeType: detected };
}

const CHUNK_BYTES = 1024 * 1024;
/** True for text without control characters, in any encoding. Reads in chunks, so that other requests are served. */
async function isPlainText(claimed: string, bytes: Uint8Array): Promise<boolean> {
  if (!claimed.startsWith('text/')) return false;
  for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
    if (hasControl(bytes.subarray(start, start + CHUNK_BYTES))) return false;
    await setImmediate();
  }
  return true;
}

/** Tabs, line breaks and escapes are allowed. */
function hasControl(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < 32 && (byte < 9 || byte > 13) && byte !== 27);
}
