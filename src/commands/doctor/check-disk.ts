import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { Settings } from '#config/index.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const GIGABYTE = 1024 ** 3;
const WARN_BELOW_BYTES = 2 * GIGABYTE;
const FAIL_BELOW_BYTES = 0.25 * GIGABYTE;

/** Room for the snapshot, fetched files, derived images and the site. */
export async function checkDisk({ home, root }: Pick<Settings, 'home' | 'root'>): Promise<Finding> {
  const { bavail, bsize } = await statfs(existsSync(home) ? home : root);
  const free = bavail * bsize;
  const message = `${(free / GIGABYTE).toFixed(1)} GB free`;
  const hint = `Make room on the disk of ${root}, or move the working files with SORTIMENT_HOME.`;
  if (free < FAIL_BELOW_BYTES) return fail('Disk', message, hint);
  return free < WARN_BELOW_BYTES ? warn('Disk', message, hint) : ok('Disk', message);
}
