import type { Shard } from './shard.ts';

/** How builds of this process render pages. */
export interface PrerenderMode {
  /** Leave every page to Astro's own loop, as if there was nothing else. */
  stock: boolean;
  /** Render these pages only. */
  shard: Shard | undefined;
  /** How many threads render; undefined to find out what pays. */
  threads: number | undefined;
  /**
   * Where another process can render the pages: Astro's only makes the bundle, keeps it, and says so here. Not called
   * where it has to render them itself. @param begunMs When it began to write, by the clock of the file system.
   */
  handOver?: ((begunMs: number) => void) | undefined;
  /** Why another process can't, as the end of a sentence. */
  leftHere?: string | undefined;
}

let mode: PrerenderMode = { stock: false, shard: undefined, threads: undefined };

export function choosePrerenderMode(chosen: PrerenderMode): void {
  mode = chosen;
}

export function prerenderMode(): PrerenderMode {
  return mode;
}
