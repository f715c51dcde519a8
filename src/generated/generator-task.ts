import type { Settings } from '#config/index.ts';
import type { GeneratedSet } from './update-files.ts';

/** What a thread needs to make outputs by itself. */
export interface GeneratorTask {
  settings: Settings;
  digest: string | undefined;
  publicFiles: ReadonlySet<string>;
}

/** An output that a thread has made, and what it warns of. */
export interface GeneratorResult extends GeneratedSet {
  warnings: readonly string[];
}
