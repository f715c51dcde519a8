import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readFrontMatter } from '#contracts/front-matter.ts';
import { overlayEntry, type OverlayEntry } from '#catalogue/entries/overlay-entry.ts';

/** Reads the overlays without a bundle: id -> fields, as in the collection `overlays`. */
export function readOverlays(root: string): ReadonlyMap<string, OverlayEntry> {
  const folder = path.join(root, 'content/products');
  return new Map(
    filesIn(folder).map((file) => {
      const id = file
        .replaceAll(path.sep, '/')
        .replace(/\.mdx$/, '')
        .toLowerCase();
      const { fields } = readFrontMatter(readFileSync(path.join(folder, file), 'utf8'));
      const parsed = overlayEntry.safeParse(fields ?? {});
      if (parsed.success) return [id, parsed.data];
      const reasons = parsed.error.issues.map(({ path: at, message }) => `${at.join('.')} ${message}`);
      throw new Error(`content/products/${file}: ${reasons.join('; ')}`);
    }),
  );
}

/** Lists the overlay files; empty if the folder doesn't exist. */
function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.mdx'))
      .toSorted();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
