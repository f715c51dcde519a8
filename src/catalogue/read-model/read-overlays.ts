import { readFrontMatter, readFrontMatterField } from '#contracts/front-matter.ts';
import { overlayFiles } from '#files/content-files.ts';
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
      const uses = readFrontMatterField(text, 'uses', overlayUses);
      return uses ? [[id, uses]] : [];
    }),
  );
}
