import { fileURLToPath } from 'node:url';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { DemoContent } from './demo-content.ts';
import { areDemoFilesThere, copyDemoFiles } from './copy-demo-files.ts';
import { findDemoFiles, type DemoUpload } from './find-demo-files.ts';
import { readDemoContent } from './read-demo.ts';

export const DEMO_FOLDER = fileURLToPath(new URL('../../../../content/demo', import.meta.url));

export const DEMO_LANGUAGES = ['de-de', 'en-gb', 'fr-fr'] as const;

export interface PreparedDemo {
  content: DemoContent;
  uploads: DemoUpload[];
}

/** Reads the demo content and puts all of its files where the origin's lie. @param generator See `SeedOptions`. */
export async function prepareDemo(context: OriginContext, generator: string | undefined): Promise<PreparedDemo> {
  const content = await readDemoContent(DEMO_FOLDER);
  const { folder, uploads } = await findDemoFiles(content, generator, DEMO_LANGUAGES, context.log);
  await copyDemoFiles(folder, context);
  return { content, uploads };
}

/** Puts the files in again where they are missing: another machine has seeded the same database, or they were deleted. */
export async function makeDemoFiles(context: OriginContext, generator: string | undefined): Promise<void> {
  if (!(await areDemoFilesThere(context))) await prepareDemo(context, generator);
}
