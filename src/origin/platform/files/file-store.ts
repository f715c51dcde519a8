/**
 * Where files lie. Paths are relative, with slashes: `2026/11/roof.jpg`. Paths that begin with a dot are never served.
 * A file is there whole or not at all, whatever happens while it is written.
 */
export interface FileStore {
  /** Where it is on this machine, if it is. */
  readonly folder?: string;
  /** Adds a file where there is none. @returns whether there was none: else nothing changed */
  add(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Writes a file, over the one that may be there. */
  put(path: string, bytes: Uint8Array): Promise<void>;
  /** Stores a copy of a local file of any size. */
  putFile(path: string, from: string): Promise<void>;
  read(path: string): Promise<Buffer | undefined>;
  /** Opens a file to send it; `close` it, or take its `stream`. */
  open(path: string): Promise<OpenFile | undefined>;
  has(path: string): Promise<boolean>;
  /** Removes a file; it may be gone already. */
  remove(path: string): Promise<void>;
  /** Files right in a folder whose names begin so: their paths, and when they were written. @param prefix @default '' */
  list(folder: string, prefix?: string): Promise<{ path: string; writtenAt: Date }[]>;
  /** Bytes of all files. */
  measure(): Promise<number>;
  /** Forgets what a process that died had begun to write. @param minAgeMs as in `hasReachedAge` */
  removeUnfinished(minAgeMs: number): Promise<void>;
}

/**
 * Whether a file is at least so old. Every file is 0 ms old: the clock that dated it, a bucket's or one that was set
 * back since, may be ahead of ours, and times of files are rounded to milliseconds.
 */
export function hasReachedAge({ writtenAt }: { writtenAt: Date }, minAgeMs: number): boolean {
  return minAgeMs === 0 || writtenAt.getTime() <= Date.now() - minAgeMs;
}

/** A file as it was when it was opened. */
export interface OpenFile {
  bytes: number;
  modifiedAt: Date;
  /** Another one for another content; with its quotes. */
  etag: string;
  /** All of it, or a part that is not empty. Closes the file when it was sent or given up. */
  stream(range?: ByteRange): Promise<ReadableStream<Uint8Array>>;
  close(): Promise<void>;
}

/** The files of an origin, each folder served under its name. */
export interface OriginFiles {
  /** Of products. */
  media: FileStore;
  /** Of the publishing site. */
  uploads: FileStore;
}

/** A part of a file. */
export interface ByteRange {
  start: number;
  /** Inclusive. */
  end: number;
}
