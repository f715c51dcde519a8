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

const PLAYABLE_TYPES = {
  aac: 'audio/aac',
  flac: 'audio/flac',
  m4a: 'audio/mp4',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  oga: 'audio/ogg',
  ogg: 'audio/ogg',
  ogv: 'video/ogg',
  opus: 'audio/ogg',
  vtt: 'text/vtt',
  wav: 'audio/wav',
  weba: 'audio/webm',
  webm: 'video/webm',
};

const DOWNLOAD_TYPES = {
  csv: 'text/csv',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  dwg: 'image/vnd.dwg',
  dxf: 'image/vnd.dxf',
  epub: 'application/epub+zip',
  ifc: 'application/x-step',
  odp: 'application/vnd.oasis.opendocument.presentation',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  odt: 'application/vnd.oasis.opendocument.text',
  ppt: 'application/vnd.ms-powerpoint',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  rtf: 'application/rtf',
  step: 'application/step',
  stp: 'application/step',
  txt: 'text/plain',
  xls: 'application/vnd.ms-excel',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  zip: 'application/zip',
};

const IMAGE_TYPES = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

const filesOf = (types: Record<string, string>, kind: MediaFile['kind'], isPlayed = false): [string, MediaFile][] =>
  Object.entries(types).map(([extension, mimeType]) => [extension, { extension, mimeType, kind, isPlayed }]);

/** Media types by extension. Types that browsers execute are excluded: no HTML, SVG or scripts. */
export const MEDIA_FILES: ReadonlyMap<string, MediaFile> = new Map([
  ...filesOf(PLAYABLE_TYPES, 'file', true),
  ...filesOf(DOWNLOAD_TYPES, 'file'),
  ...filesOf(IMAGE_TYPES, 'image'),
  ...filesOf({ pdf: 'application/pdf' }, 'document'),
]);

/** Returns the type of a file by its URL; undefined if the site may not host it. */
export function findMediaFile(address: string): MediaFile | undefined {
  if (!URL.canParse(address)) return undefined;
  const extension = /\.([a-z0-9]{2,5})$/i.exec(new URL(address).pathname)?.[1];
  return extension === undefined ? undefined : MEDIA_FILES.get(extension.toLowerCase());
}
