import { JobThread } from '#origin/platform/render/worker/index.ts';
import { withoutPosition } from './without-position.ts';

/** Smaller files are worked on at once: to hand them over takes longer. */
const SMALL_BYTES = 256 * 1024;

/** A thread of its own, as texts should not wait for files. */
const thread = new JobThread(new URL('./media-worker.ts', import.meta.url));

/** Removes the place where a picture was taken, without blocking other requests. @throws Error as `withoutPosition` does */
export async function blankPosition(original: Uint8Array): Promise<Uint8Array> {
  if (original.length <= SMALL_BYTES) return withoutPosition(original);
  return (await thread.run('withoutPosition', [original])) as Uint8Array;
}
