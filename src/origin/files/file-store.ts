/**
 * Where files of content lie. Paths are relative, with slashes: `2026/11/roof.jpg`. Paths that begin with a dot are
 * never served. A file is there whole or not at all, whatever happens while it is written.
 */
export interface FileStore {
  /** Adds a file where there is none. @returns whether there was none: else nothing changed */
  add(path: string, bytes: Uint8Array): Promise<boolean>;
  /** Writes a file, over the one that may be there. */
  put(path: string, bytes: Uint8Array): Promise<void>;
  read(path: string): Promise<Buffer | undefined>;
  has(path: string): Promise<boolean>;
  /** Removes a file; it may be gone already. */
  remove(path: string): Promise<void>;
  /** Files right in a folder: their paths, and when they were written. */
  list(folder: string): Promise<{ path: string; writtenAt: Date }[]>;
  /** Forgets what a process that died had begun to write. */
  removeUnfinished(olderThanMs: number): Promise<void>;
}
