import { isSortimentError } from '#contracts/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { FileStore } from '#origin/platform/files/file-store.ts';
import { guardedFetch } from '#origin/platform/guarded-fetch/guarded-fetch.ts';
import { measureStoredAudio } from '#origin/platform/audio/measure-stored-audio.ts';
import type { AudioFormat } from '#files/media/audio.ts';
import type { Asset, MediaFileRow, MediaFileLocation } from './assets.ts';

/** Result of checking a file. */
export interface FileCheckResult {
  /** Bytes; 0 for a missing or unusable file, 1 if unknown. */
  size: number;
  etag: string;
  durationMs: number | null;
  /** Problem with the file, as shown to editors. */
  problem?: string;
}

/** Remote files are checked by HEAD with a short timeout. */
const TIMEOUT_MS = 3000;
/** Larger files are no episodes, and apps fail to download them. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;

/** Audio formats whose duration is measured, by file extension. */
const MEASURED_FORMATS: Readonly<Record<string, AudioFormat>> = {
  mp3: 'mp3',
  ogg: 'ogg',
  oga: 'ogg',
  opus: 'ogg',
  m4a: 'mp4',
};

/** Checks a file: stored files by their content, remote files by HEAD. */
export function checkFile(
  { files, readRemote = guardedFetch }: Pick<OriginContext, 'files' | 'readRemote'>,
  { name, address, path }: MediaFileLocation,
  asset: Asset,
  previous: Pick<MediaFileRow, 'size' | 'etag' | 'durationMs'> | undefined,
): Promise<FileCheckResult> {
  if (path !== undefined) return checkStored(files.uploads, path, { name, asset });
  return checkRemote(readRemote, address, { name, asset, previous });
}

async function checkStored(
  files: FileStore,
  path: string,
  { name, asset }: { name: string; asset: Asset },
): Promise<FileCheckResult> {
  const opened = await files.open(path);
  await opened?.close();
  if (!opened || opened.bytes === 0) {
    const advice = 'Upload it under this name, with the page of the episode as "post".';
    return missing(`${name} ${opened ? 'is empty' : 'is not in the folder of the podcast'}. ${advice}`);
  }
  const { bytes, etag } = opened;
  if (bytes > MAX_FILE_BYTES) return missing(tooLarge(name, bytes));
  const format = MEASURED_FORMATS[asset.type.extension];
  const audio = format && (await measureStoredAudio(files, path));
  if (format && audio?.format !== format)
    return missing(`${name} is not a file of the type ${asset.type.name}. Upload the right file.`);
  return { size: bytes, etag, durationMs: audio?.durationMs ?? null };
}

interface RemoteFile {
  name: string;
  asset: Asset;
  previous: Pick<MediaFileRow, 'size' | 'etag' | 'durationMs'> | undefined;
}

async function checkRemote(
  read: typeof guardedFetch,
  address: string,
  { name, asset, previous }: RemoteFile,
): Promise<FileCheckResult> {
  const before = { size: previous?.size ?? 0, etag: previous?.etag ?? '', durationMs: previous?.durationMs ?? null };
  try {
    const { status, headers } = await read(address, {
      method: 'HEAD',
      maxBytes: 0,
      timeoutMs: TIMEOUT_MS,
      ...(before.size > 0 && before.etag !== '' ? { ifNoneMatch: before.etag } : {}),
    });
    if (status === 304) return before;
    if (status < 200 || status > 299)
      return missing(`The server responded with ${status} for ${name}. Check its address.`);
    const type = headers['content-type'] ?? '';
    if (/^text\/html|^application\/xhtml/i.test(type))
      return missing(
        `The server sent ${name} as ${type}, a web page instead of a file of the type ${asset.type.name}. Check its address.`,
      );
    const length = headers['content-length'] ?? '';
    const bytes = /^\d{1,15}$/.test(length) ? Number(length) : 1;
    if (bytes > MAX_FILE_BYTES) return missing(tooLarge(name, bytes));
    if (bytes === 0) return missing(`${name} is empty.`);
    return { size: bytes, etag: (headers['etag'] ?? '').slice(0, 200), durationMs: before.durationMs };
  } catch (error) {
    if (!isSortimentError(error)) throw error;
    // An outage of the server must not remove the episode from the feed.
    return { ...before, problem: `${name} could not be checked. ${error.message}` };
  }
}

function missing(problem: string): FileCheckResult {
  return { size: 0, etag: '', durationMs: null, problem };
}

function tooLarge(name: string, bytes: number): string {
  return `${name} has ${bytes} bytes; at most ${MAX_FILE_BYTES} are allowed. Upload a smaller file.`;
}
