import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { bundleSources } from './bundle-sources.ts';
import { dropBundle } from './cached-bundle.ts';

const uncacheableBundle = z.object({
  /** Of the project whose bundle it was. */
  fingerprint: z.string(),
  sources: bundleSources,
  /** Why it wasn't kept, as the end of a sentence. */
  why: z.string(),
  /** Whether that will most likely be so when sources have changed. */
  lasts: z.boolean(),
  /** `Settings.ownBase` of that build. */
  ownBase: z.string().optional(),
});

export type UncacheableBundle = z.output<typeof uncacheableBundle>;

const FILE = 'uncacheable.json';

/** Instead of a bundle, keeps why there is none: the next build needn't find out. */
export function noteUncacheable(bundleFolder: string, uncacheable: UncacheableBundle): void {
  dropBundle(bundleFolder);
  mkdirSync(bundleFolder, { recursive: true });
  writeFileSync(path.join(bundleFolder, FILE), JSON.stringify(uncacheable));
}

export function readUncacheable(bundleFolder: string): UncacheableBundle | undefined {
  try {
    return uncacheableBundle.parse(JSON.parse(readFileSync(path.join(bundleFolder, FILE), 'utf8')));
  } catch {
    return undefined;
  }
}
