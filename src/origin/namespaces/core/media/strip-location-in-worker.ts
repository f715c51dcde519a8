import { JobThread } from '#origin/platform/render/worker/job-thread.ts';
import { stripLocation } from './strip-location.ts';

/** Smaller files are processed directly, since transferring them to a worker takes longer. */
const SMALL_BYTES = 256 * 1024;

/** Separate from the worker for texts, so that texts don't wait for files. */
const worker = new JobThread(new URL('./media-worker.ts', import.meta.url));

/** Removes the GPS position from an image without blocking other requests. @throws Error if the metadata is malicious */
export async function stripLocationInWorker(original: Uint8Array): Promise<Uint8Array> {
  if (original.length <= SMALL_BYTES) return stripLocation(original);
  return (await worker.run('withoutPosition', [original])) as Uint8Array;
}
