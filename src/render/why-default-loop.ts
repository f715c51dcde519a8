import { fileURLToPath } from 'node:url';
import path from 'node:path';
import type { AstroConfig } from 'astro';
import type { Settings } from '#config/index.ts';
import { prerenderMode } from './prerender-mode.ts';

/** Why pages are left to Astro's own loop, as the end of a sentence; undefined where that need not be. */
export function whyDefaultLoop(
  { distFolder }: Pick<Settings, 'distFolder'>,
  config: Pick<AstroConfig, 'output' | 'outDir' | 'adapter'>,
): string | undefined {
  if (prerenderMode().defaultLoop) return 'you asked for it';
  if (config.output !== 'static' || config.adapter) return 'the site is not static';
  if (path.resolve(fileURLToPath(config.outDir)) !== distFolder) return '`outDir` is not dist/';
  return undefined;
}
