import { cpSync, existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readDemoContent, type DemoContent } from '../demo/index.ts';
import type { OriginContext } from '../origin-context.ts';
import { findDemoFiles, type DemoUpload } from './find-demo-files.ts';

const DEMO_FOLDER = fileURLToPath(new URL('../../../content/demo', import.meta.url));

export const DEMO_LANGUAGES = ['de-de', 'en-gb', 'fr-fr'] as const;

export interface PreparedDemo {
  content: DemoContent;
  uploads: DemoUpload[];
}

/** Reads the demo content and puts all of its files into the origin's folder. */
export async function prepareDemo({ filesFolder, log }: OriginContext): Promise<PreparedDemo> {
  const content = await readDemoContent(DEMO_FOLDER);
  const { folder, uploads } = await findDemoFiles(content, DEMO_LANGUAGES, log);
  await mkdir(filesFolder, { recursive: true });
  cpSync(folder, filesFolder, { recursive: true, preserveTimestamps: true });
  await writeFile(markerPath(filesFolder), '');
  return { content, uploads };
}

/** Puts the files in again where they are missing: another machine has seeded the same database, or they were deleted. */
export async function makeDemoFiles(context: OriginContext): Promise<void> {
  if (!existsSync(markerPath(context.filesFolder))) await prepareDemo(context);
}

/** Written when all files are there. */
function markerPath(filesFolder: string): string {
  return join(filesFolder, '.demo');
}
