import { z } from 'zod';
import { encodeFileName } from './media-names.ts';

/** Who fetches a file: an app by the feed, the player, or a reader who saves it. */
export const fileSource = z.enum(['feed', 'webplayer', 'download']);
export type FileSource = z.output<typeof fileSource>;

/**
 * How downloads are counted: not at all, by words that are added to the address (`passive`), or by an address of the
 * site that leads on to the file (`redirect`).
 */
export const trackingMode = z.enum(['off', 'passive', 'redirect']);
export type TrackingMode = z.output<typeof trackingMode>;

/** A file as somebody is given its address. */
export interface TrackedFile {
  /** Id of the file. */
  id: number;
  source: FileSource;
  /** Where the address stands: the slug of a feed, or `website`, `home`, `episode`. */
  context?: string | undefined;
}

/** Path of the route that counts and leads on. */
const TRACKED_ROOT = 'podcast/file';

/** The address that readers and apps are given of a file. */
export function publicFileAddress(
  mode: TrackingMode,
  { siteUrl, address, fileName }: { siteUrl: string; address: string; fileName: string },
  file: TrackedFile,
): string {
  if (mode === 'off') return address;
  if (mode === 'passive') return markAddress(address, file);
  const { id, source, context } = file;
  const place = context === undefined ? [] : ['c', encodeURIComponent(context)];
  return [siteUrl.replace(/\/$/, ''), TRACKED_ROOT, id, 's', source, ...place, lastPart(encodeFileName(fileName))].join(
    '/',
  );
}

/** The address of a file with where it was fetched from, as the one that counts leads on to. */
export function markAddress(address: string, { id, source, context }: TrackedFile): string {
  const url = URL.parse(address);
  if (!url) return address;
  url.searchParams.set('ptm_source', source);
  if (context !== undefined) url.searchParams.set('ptm_context', context);
  url.searchParams.set('ptm_file', String(id));
  return url.href;
}

const ADDRESS = new RegExp(`^/?${TRACKED_ROOT}/(\\d{1,15})/s/([a-z]{1,20})(?:/c/([^/]{1,200}))?/[^/]+$`);

/** What a path of the site counts; undefined for any other path. The name at its end is for those who read it. */
export function readTrackedPath(path: string): TrackedFile | undefined {
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
