import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Folder of Sortiment: a package of the project, or the project itself in a checkout. */
export const PACKAGE_FOLDER = path.resolve(import.meta.dirname, '../..');

/** Returns the folders with texts and rules that apply to a project: those of Sortiment, then its own. */
export function contentFolders(root: string): string[] {
  return [...new Set([PACKAGE_FOLDER, path.resolve(root)])];
}

export interface ContentFile {
  /** Name without its ending. */
  id: string;
  path: string;
}

/** Lists the files of a folder such as `content/norms` that end in `.yaml`; those of later roots come last. */
export function contentFiles(roots: readonly string[], folder: string, ending: string): ContentFile[] {
  return roots.flatMap((root) =>
    namesIn(path.join(root, folder))
      .filter((name) => name.endsWith(ending))
      .toSorted()
      .map((name) => ({ id: name.slice(0, -ending.length), path: path.join(root, folder, name) })),
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
