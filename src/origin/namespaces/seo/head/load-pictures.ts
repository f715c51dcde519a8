import { and, eq, inArray, or } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { loadAncestors } from '#origin/platform/content/load-ancestors.ts';
import { mayRead } from '#origin/platform/content/content-rights.ts';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import { ANONYMOUS } from '#origin/platform/http/callers/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { relocate, type Site } from '#origin/platform/site/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { HeadPicture } from './head-page.ts';

/** Heavier ones are shown in a smaller size. */
const MAX_BYTES = 2 * 1024 * 1024;

/** What is known of pictures that were looked for. */
export interface PictureFinder {
  byId(id: number): HeadPicture | undefined;
  byAddress(address: string): HeadPicture | undefined;
}

/** Reads pictures of the site by their ids or addresses: two statements, however many there are. */
export async function loadPictures(
  { store, publicUrl }: Pick<OriginContext, 'store' | 'publicUrl'>,
  site: Site,
  { ids, addresses }: { ids: readonly number[]; addresses: readonly string[] },
): Promise<PictureFinder> {
  const uploads = `${publicUrl}/uploads`;
  const fileOf = (address: string) => {
    const here = relocate(address, site.url, publicUrl);
    // A size of a picture is called after it.
    return here.startsWith(`${uploads}/`)
      ? here.slice(uploads.length + 1).replace(/-\d+x\d+(?=\.\w+$)/, '')
      : undefined;
  };
  const wantedIds = [...new Set(ids)].filter((id) => id > 0);
  const files = [...new Set(addresses.flatMap((address) => fileOf(address) ?? []))];
  const rows =
    wantedIds.length + files.length === 0
      ? []
      : await store.db
          .select()
          .from(content)
          .where(and(eq(content.type, 'attachment'), or(inArray(content.id, wantedIds), inArray(content.file, files))));
  const ancestors = await loadAncestors(store.db, rows);
  const seen = rows.filter(
    (row) => row.mimeType.startsWith('image/') && mayRead(row, ANONYMOUS, ({ parentId }) => ancestors.get(parentId)),
  );
  const byId = new Map(seen.map((row) => [row.id, pictureOf(row, uploads)]));
  const byFile = new Map(seen.map((row) => [row.file, pictureOf(row, uploads)]));
  return {
    byId: (id) => byId.get(id),
    byAddress: (address) => byFile.get(fileOf(address) ?? ''),
  };
}

/** The picture as it is shown in heads: as it is, or the largest size of it that is not too heavy. */
function pictureOf(row: ContentRow, uploads: string): HeadPicture {
  const { url, details, urlOf } = readMediaFile(row, uploads);
  const caption = plainText(row.excerpt) || plainText(row.altText) || undefined;
  const whole = { url, width: details.width, height: details.height, mimeType: row.mimeType, caption };
  if ((details.filesize ?? 0) <= MAX_BYTES) return whole;
  const [largest] = Object.values(details.sizes)
    .filter(({ filesize = 0 }) => filesize <= MAX_BYTES)
    .toSorted((a, b) => b.width - a.width);
  if (!largest) return whole;
  return {
    ...whole,
    url: urlOf(largest.file),
    width: largest.width,
    height: largest.height,
    mimeType: largest.mime_type,
  };
}
