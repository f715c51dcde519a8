import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Settings } from '#config/index.ts';
import { readDigest } from '#snapshot/read-digest.ts';
import { ok, warn, type Finding } from './finding.ts';

const buildFile = z.object({ digest: z.string(), built: z.string(), pages: z.number() });

/** Whether there is a built site, and whether it shows what the snapshot holds. */
export function checkDist({ distFolder, snapshotPath }: Pick<Settings, 'distFolder' | 'snapshotPath'>): Finding {
  const hint = 'Run `npm run build`.';
  const file = path.join(distFolder, 'build.json');
  if (!existsSync(file)) return warn('Built site', `there is none in ${distFolder}`, hint);
  const build = buildFile.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!build.success) return warn('Built site', `${file} can't be read`, hint);
  const { digest, pages } = build.data;
  const current = readDigest(snapshotPath);
  if (current !== undefined && current !== digest) {
    return warn('Built site', `${pages} pages, built from an older snapshot`, hint);
  }
  return ok('Built site', `${pages} pages, built from the current snapshot`);
}
