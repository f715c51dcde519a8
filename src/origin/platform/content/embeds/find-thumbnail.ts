import { and, eq } from 'drizzle-orm';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { canRead } from '../content-rights.ts';
import { readMediaFile } from '../read-media-file.ts';
import { loadAncestors } from '../load-ancestors.ts';
import { ANONYMOUS } from '#origin/platform/http/callers/caller.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';

export interface Thumbnail {
  url: string;
  width: number;
  height: number;
  alt: string;
}

/**
 * Finds the featured image of a row, or the row itself if it is an image. Chooses the smallest size that is at least
 * as wide as displayed, else the full image.
 */
export async function findThumbnail(
  db: Database,
  site: string,
  row: ContentRow,
  width: number,
): Promise<Thumbnail | undefined> {
  return thumbnailOf(row.type === 'attachment' ? row : await findPicture(db, row.featuredMedia), site, width);
}

/** Returns the thumbnail of a loaded image. */
export function thumbnailOf(picture: ContentRow | undefined, site: string, width: number): Thumbnail | undefined {
  if (!picture?.mimeType.startsWith('image/')) return undefined;
  const file = readMediaFile(picture, `${site}/uploads`);
  const { sizes, width: ownWidth = 0, height: ownHeight = 0 } = file.details;
  const wideEnough = Object.values(sizes).filter((size) => size.width >= width);
  const [best] = wideEnough.toSorted((a, b) => a.width * a.height - b.width * b.height);
  const chosen = best
    ? { url: file.urlOf(best.file), width: best.width, height: best.height }
    : { url: file.url, width: ownWidth, height: ownHeight };
  const scale = Math.min(1, width / Math.max(chosen.width, 1));
  return {
    url: chosen.url,
    width: Math.round(chosen.width * scale),
    height: Math.round(chosen.height * scale),
    alt: picture.altText,
  };
}

async function findPicture(db: Database, id: number): Promise<ContentRow | undefined> {
  if (id === 0) return undefined;
  const [row] = await db
    .select()
    .from(content)
    .where(and(eq(content.id, id), eq(content.type, 'attachment')))
    .limit(1);
  if (!row) return undefined;
  const ancestors = await loadAncestors(db, [row]);
  return canRead(row, ANONYMOUS, ({ parentId }) => ancestors.get(parentId)) ? row : undefined;
}
