import { z } from 'zod';
import { encodeFileName } from './media-names.ts';

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

/** Returns the public URL of a file. */
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
    lastPart(encodeFileName(fileName)),
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
  return { id: Number(id), source: source.data, ...(context === undefined ? {} : { context: decode(context) }) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
