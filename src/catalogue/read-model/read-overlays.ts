import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readFrontMatter } from '#contracts/front-matter.ts';
import { type OverlayEntry, overlayEntry } from '../entries/overlay-entry.ts';
import { type OverlayUses, overlayUses } from '../products/uses.ts';

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

/** Reads the uses of overlays by ID. Invalid files are skipped, because the collection reports them. */
export function readUses(root: string): ReadonlyMap<string, OverlayUses> {
  return new Map(
    overlayFiles(root).flatMap(({ id, text }): [string, OverlayUses][] => {
      // Parsing YAML is slow, and most overlays may have no uses.
      if (!/^uses:/m.test(text)) return [];
      try {
        const { fields } = readFrontMatter(text);
        const parsed = overlayUses.safeParse(Object(fields)['uses']);
        return parsed.success ? [[id, parsed.data]] : [];
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
