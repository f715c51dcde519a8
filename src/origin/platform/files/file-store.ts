/**
 * Storage of files by relative path, such as `2026/11/roof.jpg`. Paths that begin with a dot are never served. Writes
 * are atomic.
 */
export interface FileStore {
  /** Local folder, if there is one. */
  readonly folder?: string;
  /** Adds a file. @returns false if the path exists; nothing has changed then */
  add(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Writes a file and replaces an existing one. */
  put(path: string, bytes: Uint8Array): Promise<void>;
  /** Stores a copy of a local file of any size. */
  putFile(path: string, from: string): Promise<void>;
  read(path: string): Promise<Buffer | undefined>;
  /** Opens a file for reading. Call `close`, or consume its `stream`. */
  open(path: string): Promise<OpenFile | undefined>;
  has(path: string): Promise<boolean>;
  /** Removes a file. Does nothing if it doesn't exist. */
  remove(path: string): Promise<void>;
  /** Lists the files of a folder, without subfolders. @param prefix beginning of the names, @default '' */
  list(folder: string, prefix?: string): Promise<{ path: string; writtenAt: Date }[]>;
  /** Total bytes of all files. */
  measure(): Promise<number>;
  /** Removes incomplete writes of processes that died. @param minAgeMs see `isOlderThan` */
  removeUnfinished(minAgeMs: number): Promise<void>;
}

/**
 * Returns true if a file is at least as old as `minAgeMs`.
 *
 * Always true for 0: the clock of a bucket may be ahead, the local clock may have been set back, and file times are
 * rounded.
 */
export function isOlderThan({ writtenAt }: { writtenAt: Date }, minAgeMs: number): boolean {
  return minAgeMs === 0 || writtenAt.getTime() <= Date.now() - minAgeMs;
}

/** A snapshot of a file at the time it was opened. */
export interface OpenFile {
  bytes: number;
  modifiedAt: Date;
  /** Differs for different content; includes the quotes. */
  etag: string;
  /** Streams the file or a non-empty range of it. Closes the file at the end or on cancel. */
  stream(range?: ByteRange): Promise<ReadableStream<Uint8Array>>;
  close(): Promise<void>;
}

/** File stores of an origin, each served under its name. */
export interface OriginFiles {
  /** Files of products. */
  media: FileStore;
  /** Files of the publishing site. */
  uploads: FileStore;
}

export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}

/** File extensions without the dot that may be uploaded, by MIME type. None of them is executed by browsers. */
export const UPLOAD_TYPES: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe'],
  'image/gif': ['gif'],
  'image/png': ['png'],
  'image/bmp': ['bmp'],
  'image/tiff': ['tiff', 'tif'],
  'image/webp': ['webp'],
  'image/avif': ['avif'],
  'image/x-icon': ['ico'],
  'image/heic': ['heic'],
  'image/heif': ['heif'],
  'video/mp4': ['mp4', 'm4v'],
  'video/quicktime': ['mov', 'qt'],
  'video/webm': ['webm'],
  'video/ogg': ['ogv'],
  'video/mpeg': ['mpeg', 'mpg'],
  'video/x-matroska': ['mkv'],
  'text/plain': ['txt', 'asc'],
  'text/csv': ['csv'],
  'text/tab-separated-values': ['tsv'],
  'text/calendar': ['ics'],
  'text/vtt': ['vtt'],
  'audio/mpeg': ['mp3', 'm4a', 'm4b'],
  'audio/aac': ['aac'],
  'audio/wav': ['wav', 'x-wav'],
  'audio/ogg': ['ogg', 'oga', 'opus'],
  'audio/flac': ['flac'],
  'application/pdf': ['pdf'],
  'application/rtf': ['rtf'],
  'application/zip': ['zip'],
  'application/gzip': ['gz', 'gzip'],
  'application/msword': ['doc'],
  'application/vnd.ms-excel': ['xls'],
  'application/vnd.ms-powerpoint': ['ppt', 'pps'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
};

export function isUploadType(mimeType: string): boolean {
  return Object.hasOwn(UPLOAD_TYPES, mimeType);
}
