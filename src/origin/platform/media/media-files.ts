import { basename, dirname } from 'node:path/posix';
import { trimTrailing } from '#contracts/index.ts';
import { readMediaFile, type StoredImageSize } from '#origin/platform/content/read-media-file.ts';
import { fitSize, requiredSizes, type ImageSize, type ImageDimensions } from '#contracts/core/image-sizes.ts';
import { UPLOAD_TYPES } from '#origin/platform/files/file-store.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import type { ImageFile } from './image-work.ts';
import { tryDecode, truncateBytes } from '#contracts/scan-text.ts';

/** Device names of Windows, which are invalid with any extension. Archives of the files must unpack there too. */
const DEVICE_NAMES = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** Leaves room for a number and the measures of a size, as file systems allow 255 bytes. */
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

const knownExtensions = new Set(Object.values(UPLOAD_TYPES).flat());

/** Paths of uploads on this origin, and on sites that content was imported from. */
const UPLOAD_PATH = /^\/(?:wp-content\/)?uploads\/(.+)$/;

/**
 * Lists all files of a media item, relative to the uploads folder. Includes sizes that may exist without being
 * recorded.
 */
export function listMediaFiles(row: ContentRow): { original: string; paths: string[] } {
  const folder = dirname(row.file);
  const { details, originalName } = readMediaFile(row, '');
  const original = `${folder}/${originalName}`;
  const { width = 0, height = 0 } = details;
  const expected = expectedSizes({ width, height }, splitName(originalName)).map(({ file }) => file);
  const sizes = [...Object.values(details.sizes).map(({ file }) => basename(file)), ...expected];
  return { original, paths: [...new Set([original, row.file, ...sizes.map((name) => `${folder}/${name}`)])] };
}

/** Measures and file name of a size that an image should have. */
export type ExpectedSize = ImageDimensions & { size: ImageSize; file: string };

export function expectedSizes(full: ImageDimensions, name: FileName): ExpectedSize[] {
  return requiredSizes(full).map((size) => {
    const measures = fitSize(full, size);
    return { ...measures, size, file: sizeName(name, measures) };
  });
}

/** Returns the path relative to the uploads folder for an address of this site. */
export function uploadPath(address: string, site: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { origin, pathname } = new URL(address);
  const root = new URL(site);
  const base = root.pathname.replace(/\/$/, '');
  if (origin !== root.origin || !pathname.startsWith(base)) return undefined;
  const path = UPLOAD_PATH.exec(tryDecode(pathname.slice(base.length)) ?? '')?.[1];
  return path === undefined || /(^|\/)\./.test(path) ? undefined : path;
}

/** Splits `roof.v2.jpg` into `roof.v2` and `jpg`. */
export function splitName(file: string): FileName {
  const dot = file.lastIndexOf('.');
  return dot <= 0 ? { base: file, extension: '' } : { base: file.slice(0, dot), extension: file.slice(dot + 1) };
}

/** `roof-300x200.jpg` */
export function sizeName({ base, extension }: FileName, { width, height }: ImageDimensions): string {
  return `${base}-${width}x${height}.${extension}`;
}

export function describeSize(name: FileName, size: ImageFile, mimeType: string): StoredImageSize {
  const { width, height, bytes } = size;
  return { file: sizeName(name, size), width, height, filesize: bytes.length, mime_type: mimeType };
}

export interface FileName {
  base: string;
  /** Lower case, without the dot. Empty if the name has none. */
  extension: string;
}

/**
 * Converts a client's file name into a safe one: no folders, control characters or special characters of URLs and
 * shells, accents removed. Inner extensions that could be mistaken for the real one get a `_`.
 */
export function cleanFileName(clientName: string): FileName {
  const letters = [...clientName.toWellFormed().normalize('NFKD').replaceAll(/\p{M}/gu, '').normalize('NFC')]
    .map((letter) => LETTERS[letter] ?? letter)
    .join('')
    .replaceAll(/[\s\u00A0]+/g, ' ')
    .replaceAll(/[^\p{L}\p{N} ._-]/gu, '')
    .replaceAll(/[ -]+/g, '-')
    .replaceAll(/\.{2,}/g, '.');
  const plain = trimTrailing(letters.replace(/^[._-]+/, ''), '._-');
  const [first = '', ...rest] = plain.split('.');
  const extension = rest.pop()?.toLowerCase() ?? '';
  const inner = rest.map((part) =>
    /^[a-z]{2,5}\d?$/i.test(part) && !knownExtensions.has(part.toLowerCase()) ? `${part}_` : part,
  );
  const base = [DEVICE_NAMES.test(first) ? `${first}_` : first, ...inner].join('.');
  return { base: trimTrailing(truncateBytes(base, MAX_BASE_BYTES), '.-'), extension };
}
