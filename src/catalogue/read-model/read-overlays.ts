import { readFrontMatter, readFrontMatterField } from '#contracts/front-matter.ts';
import { overlayFiles } from '#files/content-files.ts';
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

/** Reads the listed data of overlays by ID. Invalid values are skipped, because the collection reports them. */
export function readListedOverlays(root: string): ReadonlyMap<string, ListedOverlay> {
  return new Map(
    overlayFiles(root).flatMap(({ id, text }): [string, ListedOverlay][] => {
      const uses = readFrontMatterField(text, 'uses', overlayUses);
      const fields = readFrontMatterField(text, 'fields', overlayEntry.shape.fields);
      return uses || fields ? [[id, { uses, fields }]] : [];
    }),
  );
}
