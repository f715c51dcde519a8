import { existsSync } from 'node:fs';
import { readFile, statfs } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Settings } from '../../config/index.ts';
import { fail, ok, warn, type Finding } from './finding.ts';

const packageFile = z.object({ engines: z.object({ node: z.string().regex(/^>=\d+\.\d+$/) }) });
const GIGABYTE = 1024 ** 3;
const WARN_BELOW_BYTES = 2 * GIGABYTE;
const FAIL_BELOW_BYTES = 0.25 * GIGABYTE;

/** Whether this Node runs the project, by its own `package.json`. */
export async function checkNode(root: string, version: string = process.versions.node): Promise<Finding> {
  const text = await readFile(path.join(root, 'package.json'), 'utf8');
  const wanted = packageFile.parse(JSON.parse(text)).engines.node.slice(2);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number);
  const enough = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
  return enough
    ? ok('Node', version)
    : fail(
        'Node',
        `${version}, but ${wanted} or newer is needed`,
        `Install Node ${wanted} or newer; \`npm run\` brings its own.`,
      );
}

/** Room for the snapshot, fetched files, derived images and the site. */
export async function checkDisk({ home, root }: Pick<Settings, 'home' | 'root'>): Promise<Finding> {
  const { bavail, bsize } = await statfs(existsSync(home) ? home : root);
  const free = bavail * bsize;
  const message = `${(free / GIGABYTE).toFixed(1)} GB free`;
  const hint = `Make room on the disk of ${root}, or move the working files with SORTIMENT_HOME.`;
  if (free < FAIL_BELOW_BYTES) return fail('Disk', message, hint);
  return free < WARN_BELOW_BYTES ? warn('Disk', message, hint) : ok('Disk', message);
}
