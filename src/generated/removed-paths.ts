import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { replaceFile } from '#files/replace-file.ts';

const removedPaths = z.array(z.string());

/** Maximum number of paths. The oldest are evicted. */
const MAX_ADDRESSES = 5000;

/**
 * Records the paths of removed pages. Paths of lists can't be reconstructed from the snapshot.
 * @param gone Paths removed by this build.
 * @returns All removed paths, the latest first.
 */
export async function recordRemovedPaths(
  { home }: Pick<Settings, 'home'>,
  gone: readonly string[],
  isPage: (pathname: string) => boolean,
): Promise<string[]> {
  const file = path.join(home, 'left-addresses.json');
  const previous = readAddresses(file);
  const left = [...new Set([...gone, ...previous])].filter((pathname) => !isPage(pathname)).slice(0, MAX_ADDRESSES);
  if (left.join() !== previous.join()) await replaceFile(file, `${JSON.stringify(left)}\n`);
  return left;
}

/** An unreadable file is treated as empty, because only redirects of removed lists are lost. */
function readAddresses(file: string): string[] {
  try {
    return removedPaths.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}
