import types from './media-files.json' with { type: 'json' };

/** Maximum size of an animated image on pages, in bytes. */
export const MAX_ANIMATION_BYTES = 8_000_000;

/** A type of linked or embedded file that the site may host. */
export interface MediaFile {
  extension: string;
  mimeType: string;
  /** Processing: images in all sizes, PDF documents, other files unchanged. */
  kind: 'image' | 'document' | 'file';
  /** True for audio, video and captions, which pages play inline. */
  isPlayed: boolean;
}

const filesOf = (types: Record<string, string>, kind: MediaFile['kind'], isPlayed = false): [string, MediaFile][] =>
  Object.entries(types).map(([extension, mimeType]) => [extension, { extension, mimeType, kind, isPlayed }]);

/** Media types by extension. Types that browsers execute are excluded: no HTML, SVG or scripts. */
export const MEDIA_FILES: ReadonlyMap<string, MediaFile> = new Map([
  ...filesOf(types.played, 'file', true),
  ...filesOf(types.file, 'file'),
  ...filesOf(types.image, 'image'),
  ...filesOf({ pdf: 'application/pdf' }, 'document'),
]);

/** Returns the type of a file by its URL; undefined if the site may not host it. */
export function findMediaFile(address: string): MediaFile | undefined {
  if (!URL.canParse(address)) return undefined;
  const extension = /\.([a-z0-9]{2,5})$/i.exec(new URL(address).pathname)?.[1];
  return extension === undefined ? undefined : MEDIA_FILES.get(extension.toLowerCase());
}
