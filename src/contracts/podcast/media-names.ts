import { z } from 'zod';

export const fileKind = z.enum(['audio', 'video', 'image', 'chapters', 'captions', 'transcript', 'ebook', 'metadata']);
export type FileKind = z.output<typeof fileKind>;

/** A file type of episodes. */
export interface FileType {
  name: string;
  kind: FileKind;
  mimeType: string;
  /** Extension without the leading dot; may contain one: `chapters.txt`. */
  extension: string;
}

const types = (kind: FileKind, ...rows: readonly (readonly [string, string, string])[]): FileType[] =>
  rows.map(([extension, mimeType, name]) => ({ name, kind, mimeType, extension }));

/** Default file types; the first is that of the first asset. */
export const FILE_TYPES: readonly FileType[] = [
  ...types(
    'audio',
    ['mp3', 'audio/mpeg', 'MP3 Audio'],
    ['m4a', 'audio/mp4', 'MPEG-4 Audio'],
    ['aac', 'audio/aac', 'AAC Audio'],
    ['opus', 'audio/ogg;codecs=opus', 'Opus Audio'],
    ['ogg', 'audio/ogg', 'Ogg Vorbis Audio'],
    ['oga', 'audio/ogg', 'Ogg Audio'],
    ['flac', 'audio/flac', 'FLAC Audio'],
    ['weba', 'audio/webm', 'WebM Audio'],
    ['mka', 'audio/x-matroska', 'Matroska Audio'],
    ['wav', 'audio/wav', 'WAV Audio'],
    ['mp3.torrent', 'application/x-bittorrent', 'BitTorrent (MP3 Audio)'],
  ),
  ...types(
    'video',
    ['mp4', 'video/mp4', 'MPEG-4 Video'],
    ['m4v', 'video/x-m4v', 'M4V Video'],
    ['mov', 'video/quicktime', 'QuickTime Video'],
    ['mpg', 'video/mpeg', 'MPEG-1 Video'],
    ['ogv', 'video/ogg', 'Ogg Video'],
    ['webm', 'video/webm', 'WebM Video'],
    ['mkv', 'video/x-matroska', 'Matroska Video'],
    ['mp4.torrent', 'application/x-bittorrent', 'BitTorrent (MPEG-4 Video)'],
  ),
  ...types('image', ['png', 'image/png', 'PNG Image'], ['jpg', 'image/jpeg', 'JPEG Image']),
  ...types(
    'chapters',
    ['chapters.txt', 'text/plain', 'Chapters (mp4chaps)'],
    ['psc', 'application/xml', 'Podlove Simple Chapters'],
    ['chapters.json', 'application/json', 'Chapters (Podcasting 2.0)'],
  ),
  ...types('captions', ['srt', 'application/x-subrip', 'SubRip Captions']),
  ...types('transcript', ['vtt', 'text/vtt', 'WebVTT Transcript']),
  ...types('ebook', ['epub', 'application/epub+zip', 'EPUB Document'], ['pdf', 'application/pdf', 'PDF Document']),
  ...types('metadata', ['json', 'application/json', 'Production Metadata']),
];

/** Parts of a file name besides the slug of its episode. */
export interface AssetName {
  /** Part between slug and extension, such as `-low`; often empty. */
  suffix: string;
  extension: string;
}

/** Maximum length of the slug of episode files. */
const MAX_SLUG_LENGTH = 200;

/**
 * True if a slug is a valid prefix of file names. It may contain folders, but can't escape the podcast folder, and is
 * valid on every file system.
 */
export function isMediaSlug(slug: string): boolean {
  if (slug.length > MAX_SLUG_LENGTH || !slug.isWellFormed() || /[\\:*?"<>|\p{Cc}]/u.test(slug)) return false;
  return slug.split('/').every((part) => part !== '' && part.trim() === part && !part.startsWith('.'));
}

/** Returns the name of an episode file: `<slug><suffix>.<extension>`. */
export function mediaFileName(slug: string, { suffix, extension }: AssetName): string {
  return `${slug}${suffix}.${extension}`;
}

/** Percent-encodes a file name for a URL, except for slashes (RFC 3986). */
export function encodeFileName(name: string): string {
  return name
    .toWellFormed()
    .split('/')
    .map((part) => encodeURIComponent(part).replace(/[!'()*]/g, encodeLetter))
    .join('/');
}

function encodeLetter(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Returns the URL of a file below the base URL of the podcast files. */
export function mediaFileAddress(base: string, fileName: string): string {
  return `${base}${base === '' || base.endsWith('/') ? '' : '/'}${encodeFileName(fileName)}`;
}

/** Finds the asset of an uploaded file by its suffix and extension; case-sensitive, like file names. */
export function guessAsset<A extends AssetName>(originalName: string, assets: readonly A[]): A | undefined {
  const matches = assets.filter(({ extension }) => originalName.endsWith(`.${extension}`));
  return (
    (matches.length > 1
      ? matches.find(({ suffix, extension }) => suffix !== '' && originalName.endsWith(`${suffix}.${extension}`))
      : undefined) ??
    matches.find(({ suffix }) => suffix === '') ??
    matches[0]
  );
}

/**
 * Returns the name for an uploaded file: that of its asset, otherwise the slug with the file's extension. Without a
 * slug, the original name is used.
 */
export function generateFileName(originalName: string, slug: string, assets: readonly AssetName[]): string {
  const name = originalName.slice(Math.max(originalName.lastIndexOf('/'), originalName.lastIndexOf('\\')) + 1);
  const asset = guessAsset(name, assets);
  if (slug === '') return name;
  if (asset) return mediaFileName(slug, asset);
  const [extension = ''] = /\.[\da-z]{1,16}$/i.exec(name) ?? [];
  return `${slug}${extension}`;
}
