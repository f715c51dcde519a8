import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { replaceFile } from '#files/index.ts';

const leftAddresses = z.array(z.string());

/** Lists come and go for ever; the oldest are forgotten. */
const MAX_ADDRESSES = 5000;

/**
 * Remembers the paths of pages that builds have had and that no page stands at any more: what addresses of lists are
 * made of can't be told from the snapshot afterwards.
 * @param gone Those that this build has taken away.
 * @returns All of them, the latest first.
 */
export async function rememberLeft(
  { home }: Pick<Settings, 'home'>,
  gone: readonly string[],
  isPage: (pathname: string) => boolean,
): Promise<string[]> {
  const file = path.join(home, 'left-addresses.json');
  const known = readAddresses(file);
  const left = [...new Set([...gone, ...known])].filter((pathname) => !isPage(pathname)).slice(0, MAX_ADDRESSES);
  if (left.join() !== known.join()) await replaceFile(file, `${JSON.stringify(left)}\n`);
  return left;
}

/** What can't be read is as good as nothing: only convenience is lost. */
function readAddresses(file: string): string[] {
  try {
    return leftAddresses.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return [];
  }
}
