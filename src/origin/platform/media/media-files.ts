import { basename, dirname } from 'node:path/posix';
import { trimEndOf } from '#contracts/index.ts';
import { readMediaFile, type StoredImageSize } from '#origin/platform/content/read-media-file.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { fitSize, sizesOf, type ImageSize, type Measures } from '#contracts/core/image-sizes.ts';
import type { FileStore } from '#origin/platform/files/index.ts';
import { UPLOAD_TYPES } from '#origin/platform/files/upload-types.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ImageFile } from './image-sizes.ts';

/** Names that Windows keeps for devices, with any extension: an archive of the files has to unpack there too. */
const DEVICES = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Room for a number and the measures of a size: file systems take 255 bytes. */
const MAX_BASE_BYTES = 180;

const LETTERS: Readonly<Record<string, string>> = {
  ß: 's',
  æ: 'ae',
  Æ: 'AE',
  œ: 'oe',
  Œ: 'OE',
  ø: 'o',
  Ø: 'O',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ð: 'd',
  þ: 'th',
  Þ: 'TH',
  ı: 'i',
};

const known = new Set(Object.values(UPLOAD_TYPES).flat());

/** Folders below the site that uploads are addressed by: this origin's, and that of sites content was moved from. */
const FOLDERS = /^\/(?:wp-content\/)?uploads\/(.+)$/;

/** The files of the publishing site, which are served below `/uploads/`. */
export function mediaFiles({ files }: Pick<OriginContext, 'files'>): FileStore {
  return files.uploads;
}

/** Paths of all files of a media item below the uploads folder, also of sizes that may have been made and not been kept. */
export function listMediaFiles(row: ContentRow): { original: string; paths: string[] } {
  const folder = dirname(row.file);
  const { details, originalName } = readMediaFile(row, '');
  const original = `${folder}/${originalName}`;
  const { width = 0, height = 0 } = details;
  const expected = expectedSizes({ width, height }, splitName(originalName)).map(({ file }) => file);
  const sizes = [...Object.values(details.sizes).map(({ file }) => basename(file)), ...expected];
  return { original, paths: [...new Set([original, row.file, ...sizes.map((name) => `${folder}/${name}`)])] };
}

/** A size that a picture has to have: its measures, and the name of its file. */
export type ExpectedSize = Measures & { size: ImageSize; file: string };

/** All of them, for a picture of these measures. */
export function expectedSizes(full: Measures, name: FileName): ExpectedSize[] {
  return sizesOf(full).map((size) => {
    const measures = fitSize(full, size);
    return { ...measures, size, file: sizeName(name, measures) };
  });
}

/** The path below the uploads folder that an address of this site names. */
export function uploadPath(address: string, site: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  const root = new URL(site);
  const base = root.pathname.replace(/\/$/, '');
  if (origin !== root.origin || !pathname.startsWith(base)) return undefined;
  try {
    const path = FOLDERS.exec(decodeURIComponent(pathname.slice(base.length)))?.[1];
    return path === undefined || /(^|\/)\./.test(path) ? undefined : path;
  } catch {
    return undefined;
  }
}

/** `roof.v2.jpg` as `roof.v2` and `jpg`. */
export function splitName(file: string): FileName {
  const dot = file.lastIndexOf('.');
  return dot <= 0 ? { base: file, extension: '' } : { base: file.slice(0, dot), extension: file.slice(dot + 1) };
}

/** `roof-300x200.jpg` */
export function sizeName({ base, extension }: FileName, { width, height }: Measures): string {
  return `${base}-${width}x${height}.${extension}`;
}

/** What the store keeps of a size. */
export function describeSize(name: FileName, size: ImageFile, mimeType: string): StoredImageSize {
  const { width, height, bytes } = size;
  return { file: sizeName(name, size), width, height, filesize: bytes.length, mime_type: mimeType };
}

export interface FileName {
  base: string;
  /** Lower case, without the dot; empty for a name that has none. */
  extension: string;
}

/**
 * A client's name of a file as a name it can be stored under: no folders, no controls, no signs that mean something
 * in an address or a shell, accents folded. Inner extensions that could be taken for the real one get a `_`.
 */
export function cleanFileName(sent: string): FileName {
  const letters = [...sent.toWellFormed().normalize('NFKD').replaceAll(/\p{M}/gu, '').normalize('NFC')]
    .map((letter) => LETTERS[letter] ?? letter)
    .join('')
    .replaceAll(/[\s\u00A0]+/g, ' ')
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
    .replaceAll(/[ -]+/g, '-')
    .replaceAll(/\.{2,}/g, '.');
  const plain = trimEndOf(letters.replace(/^[._-]+/, ''), '._-');
  const [first = '', ...rest] = plain.split('.');
  const extension = rest.pop()?.toLowerCase() ?? '';
  const inner = rest.map((part) =>
    /^[a-z]{2,5}\d?$/i.test(part) && !known.has(part.toLowerCase()) ? `${part}_` : part,
  );
  const base = [DEVICES.test(first) ? `${first}_` : first, ...inner].join('.');
  return { base: cutBytes(base), extension };
}

function cutBytes(text: string): string {
  let cut = '';
  let bytes = 0;
  for (const letter of text) {
    bytes += Buffer.byteLength(letter);
    if (bytes > MAX_BASE_BYTES) break;
    cut += letter;
  }
  return trimEndOf(cut, '.-');
}
