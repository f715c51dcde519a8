import { fileURLToPath } from 'node:url';
import { cpSync, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import pLimit from 'p-limit';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { DemoContent } from './demo-content.ts';
import { findDemoFiles, type DemoUpload } from './find-demo-files.ts';
import { readDemoContent } from './read-demo.ts';
import { copyPodcastFiles } from './seed-podcast.ts';

/** Written once all files exist. */
const MARKER = '.demo';

const UPLOADS_AT_ONCE = 8;

export const DEMO_FOLDER = fileURLToPath(new URL('../../../../content/demo', import.meta.url));

export const DEMO_LANGUAGES = ['de-de', 'en-gb', 'fr-fr'] as const;

export interface PreparedDemo {
  content: DemoContent;
  uploads: DemoUpload[];
}

/** Reads the demo content and copies its files to the origin's files. @param generator See `SeedOptions`. */
export async function prepareDemo(
  context: OriginContext,
  generator: string | undefined,
  demoFolder = DEMO_FOLDER,
): Promise<PreparedDemo> {
  const content = await readDemoContent(demoFolder);
  const { folder, uploads } = await findDemoFiles(content, generator, DEMO_LANGUAGES, context.log);
  await copyDemoFiles(folder, context);
  await copyPodcastFiles(join(demoFolder, 'podcast'), content.podcast, context);
  return { content, uploads };
}

type Place = Pick<OriginContext, 'files' | 'filesFolder'>;

/** Copies the files of the demo, from a folder that holds `media/` and `uploads/`. */
export async function copyDemoFiles(folder: string, { files, filesFolder }: Place): Promise<void> {
  if (files.uploads.folder !== undefined) {
    await mkdir(filesFolder, { recursive: true });
    cpSync(folder, filesFolder, { recursive: true, preserveTimestamps: true });
    return writeFile(join(filesFolder, MARKER), '');
  }
  const limit = pLimit(UPLOADS_AT_ONCE);
  for (const [name, store] of Object.entries(files)) {
    const from = join(folder, name);
    const entries = await readdir(from, { recursive: true, withFileTypes: true });
    const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    await limit.map(paths, async (path) => store.put(relative(from, path).replaceAll(sep, '/'), await readFile(path)));
  }
  await files.uploads.put(MARKER, Buffer.alloc(0));
}

export async function areDemoFilesThere({ files, filesFolder }: Place): Promise<boolean> {
  return files.uploads.folder === undefined ? files.uploads.has(MARKER) : existsSync(join(filesFolder, MARKER));
}

/** Makes sure that the files are not restored. */
export async function forgetDemoFiles({ files, filesFolder }: Place): Promise<void> {
  if (files.uploads.folder === undefined) await files.uploads.remove(MARKER);
  else await rm(join(filesFolder, MARKER), { force: true });
}
