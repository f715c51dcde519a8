import type { CachedBundle } from './bundle/cached-bundle.ts';
import type { Shard } from './shard.ts';

/** How Astro's process, when it doesn't have to render the pages itself, tells the one that does. */
export interface BundleExport {
  /** It is going to make the bundle and nothing else. */
  begin(): void;
  /** The bundle is kept. @param begunMs When it began to write, by the clock of the file system. */
  end(begunMs: number): void;
}

/** How builds of this process render pages. */
export interface PrerenderMode {
  /** Leave every page to Astro's own loop, as if there was nothing else. */
  defaultLoop: boolean;
  /** Render these pages only. */
  shard: Shard | undefined;
  /** How many threads render; undefined to find out what pays. */
  threads: number | undefined;
  /** Where another process can render the pages. */
  bundleExport?: BundleExport | undefined;
  /** Why only this process can, if an earlier attempt has found that. */
  unusable?: CachedBundle['unusable'];
}

let mode: PrerenderMode = { defaultLoop: false, shard: undefined, threads: undefined };

export function choosePrerenderMode(chosen: PrerenderMode): void {
  mode = chosen;
}

export function prerenderMode(): PrerenderMode {
  return mode;
}
