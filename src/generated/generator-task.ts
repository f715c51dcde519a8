import type { Settings } from '#config/index.ts';
import type { GeneratedSet } from './update-files.ts';

/** What a worker thread needs to run generators. */
export interface GeneratorTask {
  settings: Settings;
  digest: string | undefined;
  publicFiles: ReadonlySet<string>;
}

/** What a worker thread has generated, and its warnings. */
export interface GeneratorResult extends GeneratedSet {
  warnings: readonly string[];
}
