/** Largest animated image that pages play. */
export const MAX_ANIMATION_BYTES = 8_000_000;

/** A kind of file that texts link to or play, and that may stand in the site. */
export interface MediaFile {
  extension: string;
  mimeType: string;
  /** How it is kept: pictures in all sizes, PDF documents, and other files as they are. */
  kind: 'image' | 'document' | 'file';
  /** Audio, video and what belongs to them: played in the page, rather than opened. */
  isPlayed: boolean;
}

const PLAYED = {
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

const OPENED = {
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

const PICTURES = {
  avif: 'image/avif',
  gif: 'image/gif',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
};

const filesOf = (types: Record<string, string>, kind: MediaFile['kind'], isPlayed = false): [string, MediaFile][] =>
  Object.entries(types).map(([extension, mimeType]) => [extension, { extension, mimeType, kind, isPlayed }]);

/** By extension. Nothing that a browser would run is among them: no HTML, no SVG, no script. */
export const MEDIA_FILES: ReadonlyMap<string, MediaFile> = new Map([
  ...filesOf(PLAYED, 'file', true),
  ...filesOf(OPENED, 'file'),
  ...filesOf(PICTURES, 'image'),
  ...filesOf({ pdf: 'application/pdf' }, 'document'),
]);

/** What an address leads to, by its end; undefined where that is no file that may stand in the site. */
export function mediaFileOf(address: string): MediaFile | undefined {
  if (!URL.canParse(address)) return undefined;
  const extension = /\.([a-z0-9]{2,5})$/i.exec(new URL(address).pathname)?.[1];
  return extension === undefined ? undefined : MEDIA_FILES.get(extension.toLowerCase());
}
