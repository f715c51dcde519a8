import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { filesIn } from './built-files.ts';
import { PACKAGE_FOLDER } from './package-folder.ts';

type Ending = '.json' | '.yaml';

/** Returns the folders with texts and rules that apply to a project: those of Sortiment, then its own. */
export function contentFolders(root: string): string[] {
  return [...new Set([PACKAGE_FOLDER, path.resolve(root)])];
}

/** Lists the files of a folder such as `content/norms` by ID, the name without its ending. Those of the project come last. */
export function contentFiles(root: string, folder: string, ending: Ending): { id: string; file: string }[] {
  return contentFolders(root).flatMap((parent) =>
    filesIn(path.join(parent, folder))
      .filter((name) => name.endsWith(ending))
      .toSorted()
      .map((name) => ({ id: name.slice(0, -ending.length), file: path.join(parent, folder, name) })),
  );
}

export interface Content {
  data: Record<string, unknown>;
  /** Path of the last file that it was read from. */
  file: string;
}

/**
 * Reads the files of a folder by ID. Values of the project replace those of Sortiment with the same key.
 *
 * @throws Error that names a malformed file.
 */
export function readContent(root: string, folder: string, ending: Ending): Map<string, Content> {
  const contents = new Map<string, Content>();
  for (const { id, file } of contentFiles(root, folder, ending)) {
    const data = { ...contents.get(id)?.data, ...readValues(file, ending) };
    contents.set(id, { data, file });
  }
  return contents;
}

function readValues(file: string, ending: Ending): Record<string, unknown> {
  const text = readFileSync(file, 'utf8');
  try {
    return (ending === '.json' ? JSON.parse(text) : parse(text)) as Record<string, unknown>;
  } catch (cause) {
    throw new Error(`${file} is malformed: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Reads the product overlays of a project. IDs are `<language>/<gtin>`, or `<gtin>` for all languages. */
export function overlayFiles(root: string): { id: string; file: string; text: string }[] {
  const folder = path.join(root, 'content/products');
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const overlays = files.filter((file) => file.endsWith('.mdx')).toSorted();
  return overlays.map((file) => ({
    id: file
      .replaceAll(path.sep, '/')
      .replace(/\.mdx$/, '')
      .toLowerCase(),
    file,
    text: readFileSync(path.join(folder, file), 'utf8'),
  }));
}
