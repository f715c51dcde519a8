import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';

const buildFile = z.object({ digest: z.string() });

/** Digest of the snapshot that the built site shows; undefined when there is no site, or none that is whole. */
export async function readBuiltDigest(distFolder: string): Promise<string | undefined> {
  try {
    return buildFile.parse(JSON.parse(await readFile(path.join(distFolder, 'build.json'), 'utf8'))).digest;
  } catch {
    return undefined;
  }
}
