import type { IMAGE_SIZE_NAMES } from '#contracts/core/media.ts';

/** The sizes that are made of an uploaded image, as far as it is larger. */
export const IMAGE_SIZES: readonly ImageSize[] = [
  { name: 'thumbnail', width: 150, height: 150, crop: true },
  { name: 'medium', width: 300, height: 300, crop: false },
  { name: 'medium_large', width: 768, height: 0, crop: false },
  { name: 'large', width: 1024, height: 1024, crop: false },
  { name: '1536x1536', width: 1536, height: 1536, crop: false },
  { name: '2048x2048', width: 2048, height: 2048, crop: false },
];

/** Sizes a document would get previews in. */
export const PREVIEW_SIZES: readonly string[] = ['thumbnail', 'medium', 'large'];

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
  /** Files right in a folder: their paths, and when they were written. */
  list(folder: string): Promise<{ path: string; writtenAt: Date }[]>;
  /** Bytes of all files. */
  measure(): Promise<number>;
  /** Forgets what a process that died had begun to write. */
  removeUnfinished(olderThanMs: number): Promise<void>;
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

export interface ImageSize {
  name: (typeof IMAGE_SIZE_NAMES)[number];
  width: number;
  /** 0 is any. */
  height: number;
  /** Cut to exactly this size, around the middle. */
  crop: boolean;
}

/** The sizes that an image of these measures has to have. */
export function sizesOf(width: number, height: number): readonly ImageSize[] {
  return IMAGE_SIZES.filter((size) => width > size.width || (size.height > 0 && height > size.height));
}
