import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { readFrontMatter } from '#contracts/front-matter.ts';
import { type OverlayEntry, overlayEntry } from '../entries/overlay-entry.ts';
import { overlayUses } from '../products/uses.ts';

/** Reads the overlays without a bundle: id -> fields, as in the collection `overlays`. */
export function readOverlays(root: string): ReadonlyMap<string, OverlayEntry> {
  return new Map(
    overlayFiles(root).map(({ id, file, text }) => {
      const { fields } = readFrontMatter(text);
      const parsed = overlayEntry.safeParse(fields ?? {});
      if (parsed.success) return [id, parsed.data];
      const reasons = parsed.error.issues.map(({ path: at, message }) => `${at.join('.')} ${message}`);
      throw new Error(`content/products/${file}: ${reasons.join('; ')}`);
    }),
  );
}

/** Data of overlays that lists show. */
export type ListedOverlay = Pick<OverlayEntry, 'uses' | 'fields'>;

const listedOverlay = z.object({
  uses: overlayUses.optional().catch(undefined),
  fields: overlayEntry.shape.fields.catch(undefined),
});

/** Reads the listed data of overlays by ID. Invalid values are skipped, because the collection reports them. */
export function readListedOverlays(root: string): ReadonlyMap<string, ListedOverlay> {
  return new Map(
    overlayFiles(root).flatMap(({ id, text }): [string, ListedOverlay][] => {
      // Parsing YAML is slow, and most overlays may have none.
      if (!/^(?:uses|fields):/m.test(text)) return [];
      try {
        const { fields } = readFrontMatter(text);
        return [[id, listedOverlay.parse(fields)]];
      } catch {
        return [];
      }
    }),
  );
}

function overlayFiles(root: string): { id: string; file: string; text: string }[] {
  const folder = path.join(root, 'content/products');
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const overlays = files.filter((file) => file.endsWith('.mdx')).toSorted();
  return overlays.map((file) => ({
    id: file
      .replaceAll(path.sep, '/')
      .replace(/\.mdx$/, '')
      .toLowerCase(),
    file,
    text: readFileSync(path.join(folder, file), 'utf8'),
  }));
}
