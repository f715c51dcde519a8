import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transcode } from 'node:buffer';

/**
 * Folder for unfinished pages. It is inside the output folder, so that renames are atomic on every file system, and has
 * one name that a build can clear.
 */
export const WRITING_FOLDER = '.writing';

export type PageWriter = ReturnType<typeof openPageWriter>;

/**
 * Opens a writer of the output folder. Files are replaced atomically, so that servers and later builds never see
 * incomplete ones, even if the process is killed.
 * @param begunMs Start of the build, if it was earlier.
 */
export function openPageWriter(distFolder: string, begunMs?: number) {
  const folder = path.join(distFolder, WRITING_FOLDER);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return {
    /** Folder for unfinished files; relative paths are those in the site. */
    folder,
    /** Start of writing, by the clock of the file system. */
    begunMs: begunMs ?? statSync(folder).mtimeMs,
    ...joinPageWriter(distFolder, 'page'),
    /** Moves a file of `folder` to its final path atomically. */
    place: (file: string): void => {
      const from = path.join(folder, file);
      // Copied files keep the time of their source; this sets the time of writing.
      utimesSync(from, new Date(), new Date());
      const target = path.join(distFolder, file);
      mkdirSync(path.dirname(target), { recursive: true });
      renameSync(from, target);
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Creates a writer for an additional thread. @param temporaryName Name of its temporary file; unique per thread. */
export function joinPageWriter(distFolder: string, temporaryName: string) {
  const from = path.join(distFolder, WRITING_FOLDER, temporaryName);
  return {
    /** Writes a file atomically. @returns false if it already had this content and was left untouched. */
    write: (file: string, bytes: Uint8Array): boolean => {
      const target = path.join(distFolder, file);
      const existing = statSync(target, { throwIfNoEntry: false });
      if (existing?.size === bytes.length && readFileSync(target).equals(bytes)) return false;
      if (!existing) mkdirSync(path.dirname(target), { recursive: true });
      writeFileSync(from, bytes);
      renameSync(from, target);
      return true;
    },
  };
}

/** Encodes a text as UTF-8. Transcoding from UTF-16 takes half the time of `Buffer.from`. */
export function encodeText(text: string): Uint8Array {
  try {
    return transcode(Buffer.from(text, 'utf16le'), 'utf16le', 'utf8');
  } catch {
    // Unpaired surrogates, which only the slower conversion replaces.
    return Buffer.from(text);
  }
}

/** Content of a file to write. */
export interface PageContent {
  bytes: Uint8Array;
  text: string;
}

/** Reads the content of a rendered page; undefined for redirects and empty responses. */
export async function readPageContent(answer: Response | string): Promise<PageContent | undefined> {
  if (typeof answer === 'string') return { bytes: encodeText(answer), text: answer };
  if ((answer.status >= 300 && answer.status < 400) || !answer.body) return undefined;
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { bytes, text: bytes.toString() };
}
