import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { bundleSources } from './bundle-sources.ts';
import { dropBundle } from './cached-bundle.ts';

const unkeptBundle = z.object({
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

export type UnkeptBundle = z.output<typeof unkeptBundle>;

const FILE = 'unkept.json';

/** Instead of a bundle, keeps why there is none: the next build needn't find out. */
export function noteUnkept(bundleFolder: string, unkept: UnkeptBundle): void {
  dropBundle(bundleFolder);
  mkdirSync(bundleFolder, { recursive: true });
  writeFileSync(path.join(bundleFolder, FILE), JSON.stringify(unkept));
}

export function readUnkept(bundleFolder: string): UnkeptBundle | undefined {
  try {
    return unkeptBundle.parse(JSON.parse(readFileSync(path.join(bundleFolder, FILE), 'utf8')));
  } catch {
    return undefined;
  }
}
