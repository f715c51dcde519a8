import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Beside the pages, so that a rename is one step on every file system, and under one name that a build can clear. */
export const WRITING_FOLDER = '.writing';

export interface PageWriter {
  /** Folder for files on their way into the site; their places in it are those in the site. */
  folder: string;
  /** When writing began, by the clock of the file system. */
  begunMs: number;
  /** Puts the bytes at their place in one step. @returns False when they stood there already: that file is untouched. */
  write(file: string, bytes: Uint8Array): boolean;
  /** Puts a file of `folder` at its place in one step. */
  place(file: string): void;
  close(): void;
}

/**
 * Whoever serves the folder meanwhile sees whole files only, and so does the next build when this one is killed.
 * @param begunMs When the build began, if that was earlier.
 */
export function openPageWriter(distFolder: string, begunMs?: number): PageWriter {
  const folder = path.join(distFolder, WRITING_FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return {
    folder,
    begunMs: begunMs ?? statSync(folder).mtimeMs,
    ...joinPageWriter(distFolder, 'page'),
    place: (file) => {
      const from = path.join(folder, file);
      // Copies keep the time of what they are copies of; here it says when they came.
      utimesSync(from, new Date(), new Date());
      const target = path.join(distFolder, file);
      mkdirSync(path.dirname(target), { recursive: true });
      renameSync(from, target);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** For a thread that writes pages as well. @param waiting Name of its own for the page that it is writing. */
export function joinPageWriter(distFolder: string, waiting: string): Pick<PageWriter, 'write'> {
  const from = path.join(distFolder, WRITING_FOLDER, waiting);
  return {
    write: (file, bytes) => {
      const target = path.join(distFolder, file);
      const known = statSync(target, { throwIfNoEntry: false });
      if (known?.size === bytes.length && readFileSync(target).equals(bytes)) return false;
      if (!known) mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(from, bytes);
      renameSync(from, target);
      return true;
    },
  };
}
