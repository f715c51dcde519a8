import { z } from 'zod';
import { decodePercent } from '../scan-text.ts';
import fileTypes from './file-types.json' with { type: 'json' };

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

/** Default file types; the first is that of the first asset. */
export const FILE_TYPES: readonly FileType[] = fileKind.options.flatMap((kind) =>
  fileTypes[kind].map(([extension = '', mimeType = '', name = '']) => ({ name, kind, mimeType, extension })),
);

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
    matches.find(({ suffix, extension }) => suffix !== '' && originalName.endsWith(`${suffix}.${extension}`)) ??
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

/** Origin of a request for a file: a feed, the player, or a download link. */
export const fileSource = z.enum(['feed', 'webplayer', 'download']);
export type FileSource = z.output<typeof fileSource>;

/**
 * Mode of counting downloads: not at all, by parameters in the URL (`passive`), or by a URL of the site that redirects
 * to the file (`redirect`).
 */
export const trackingMode = z.enum(['off', 'passive', 'redirect']);
export type TrackingMode = z.output<typeof trackingMode>;

/** A file in a particular context. */
export interface TrackedFile {
  /** Id of the file. */
  id: number;
  source: FileSource;
  /** Context of the link: the slug of a feed, or `website`, `home`, `episode`. */
  context?: string | undefined;
}

/** Path of the counting redirect. */
const TRACKED_ROOT = 'podcast/file';

export function publicFileAddress(
  mode: TrackingMode,
  { siteUrl, address, fileName }: { siteUrl: string; address: string; fileName: string },
  file: TrackedFile,
): string {
  if (mode === 'off') return address;
  if (mode === 'passive') return addTrackingParams(address, file);
  const { id, source, context } = file;
  const contextSegments = context === undefined ? [] : ['c', encodeURIComponent(context)];
  return [
    siteUrl.replace(/\/$/, ''),
    TRACKED_ROOT,
    id,
    's',
    source,
    ...contextSegments,
    encodeFileName(fileName).split('/').at(-1),
  ].join('/');
}

/** Adds source and context to the URL of a file, which is the target of the counting redirect. */
export function addTrackingParams(address: string, { id, source, context }: TrackedFile): string {
  const url = URL.parse(address);
  if (!url) return address;
  url.searchParams.set('ptm_source', source);
  if (context !== undefined) url.searchParams.set('ptm_context', context);
  url.searchParams.set('ptm_file', String(id));
  return url.href;
}

const ADDRESS = new RegExp(`^/?${TRACKED_ROOT}/(\\d{1,15})/s/([a-z]{1,20})(?:/c/([^/]{1,200}))?/[^/]+$`);

/** Parses the path of a counting redirect; undefined for other paths. The file name at its end is only for display. */
export function parseTrackedPath(path: string): TrackedFile | undefined {
  const [, id, word, context] = ADDRESS.exec(path) ?? [];
  const source = fileSource.safeParse(word);
  if (id === undefined || !source.success) return undefined;
  return { id: Number(id), source: source.data, ...(context === undefined ? {} : { context: decodePercent(context) }) };
}
