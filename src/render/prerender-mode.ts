import type { CachedBundle } from './bundle/cached-bundle.ts';
import type { Shard } from './shard.ts';

/** Signals from Astro's process to the one that renders the pages. */
export interface BundleExport {
  /** Called before only the bundle is built. */
  begin(): void;
  /**
   * Called once the bundle is cached.
   *
   * @param begunMs Start of the write, by the clock of the file system.
   */
  end(begunMs: number): void;
}

/** How builds of this process render pages. */
export interface PrerenderMode {
  /** Leaves every page to Astro's own loop. */
  defaultLoop: boolean;
  /** Restricts rendering to a shard. */
  shard: Shard | undefined;
  /** Number of rendering threads; undefined to choose automatically. */
  threads: number | undefined;
  /** Set if another process can render the pages. */
  bundleExport?: BundleExport | undefined;
  /** Set if an earlier attempt has found that only this process can render the pages. */
  unusable?: CachedBundle['unusable'];
}

let mode: PrerenderMode = { defaultLoop: false, shard: undefined, threads: undefined };

export function setPrerenderMode(chosen: PrerenderMode): void {
  mode = chosen;
}

export function getPrerenderMode(): PrerenderMode {
  return mode;
}
