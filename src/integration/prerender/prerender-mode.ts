import type { Shard } from './shard.ts';

/** How builds of this process render pages. */
interface PrerenderMode {
  /** Leave every page to Astro's own loop, as if there was nothing else. */
  stock: boolean;
  /** Render these pages only. */
  shard: Shard | undefined;
  /** How many threads render; undefined to find out what pays. */
  threads: number | undefined;
}

let mode: PrerenderMode = { stock: false, shard: undefined, threads: undefined };

export function choosePrerenderMode(chosen: PrerenderMode): void {
  mode = chosen;
}

export function prerenderMode(): PrerenderMode {
  return mode;
}
