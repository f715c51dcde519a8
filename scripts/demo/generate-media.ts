import { join } from 'node:path';
import pLimit from 'p-limit';
import { writeOnce } from '#files/index.ts';
import type { GenerateDemoMediaOptions } from '#origin/admin/seed/find-demo-files.ts';
import { planMedia } from './plan-media.ts';

/** Pictures are rendered on threads of their own while documents are set on this one. */
const CONCURRENT_FILES = 4;

/**
 * Draws the documents and pictures that the demo products link, and the motifs, below `folder`. Files that exist
 * are left alone; the same product always gives the same bytes.
 * Returns how many files were written, and their size in bytes.
 */
export async function generateDemoMedia({
  products,
  hazards,
  folder,
  onProgress,
}: GenerateDemoMediaOptions): Promise<{ files: number; bytes: number }> {
  const tasks = planMedia(products, hazards);
  const limit = pLimit(CONCURRENT_FILES);
  let done = 0;
  const sizes = await Promise.all(
    tasks.map(({ path, make }) =>
      limit(async () => {
        const size = await writeOnce(join(folder, path), make);
        done += 1;
        onProgress?.({ done, total: tasks.length });
        return size;
      }),
    ),
  );
  const written = sizes.filter((size) => size !== undefined);
  return { files: written.length, bytes: written.reduce((sum, size) => sum + size, 0) };
}
