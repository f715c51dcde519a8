import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { BUILD_FILE } from '#build/shard.ts';

/** Summary of a build in the site's folder. `base` is set if the base path isn't `/`. */
export const buildFile = z.object({ digest: z.string(), pages: z.number(), base: z.string().optional() });

/** Returns the summary of a built site; undefined if there is no complete site. */
export function readBuildFile(distFolder: string): z.output<typeof buildFile> | undefined {
  try {
    return buildFile.parse(JSON.parse(readFileSync(path.join(distFolder, BUILD_FILE), 'utf8')));
  } catch {
    return undefined;
  }
}
