import { and, eq, inArray, or } from 'drizzle-orm';
import { isWebAddress } from '#contracts/podcast/index.ts';
import { findTags } from '#contracts/scan-text.ts';
import type { SeoSettings } from '#contracts/seo/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { ancestorsById, ancestorsColumn } from '#origin/platform/content/load-ancestors.ts';
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

/** Where the site is, and where it was when its texts were stored. */
interface Place {
  publicUrl: string;
  storedUrl: string | undefined;
}

/** What names a picture: the id of a media item, or an address. */
export interface NamedPictures {
  ids: readonly number[];
  addresses: readonly string[];
}

/** A picture in a text. */
export interface FoundImage {
  /** Media item that the text says it is. */
  id: number | undefined;
  source: string;
}

/** All pictures that the head of some content may show, and the first of its text among them. */
export function namePictures(
  { content: text, featuredMedia }: Pick<ContentRow, 'content' | 'featuredMedia'>,
  { og_image_id, twitter_image_id, og_image, twitter_image }: SeoSettings,
  place: Place,
): NamedPictures & { first: FoundImage | undefined } {
  const first = firstImage(text, place);
  return {
    ids: [featuredMedia, og_image_id, twitter_image_id, first?.id ?? 0].filter((id) => id > 0),
    addresses: [og_image, twitter_image, first?.source ?? ''].filter((address) => address !== ''),
    first,
  };
}

/** The first picture in a text that is on the web, as the text has it. */
function firstImage(html: string, { publicUrl, storedUrl }: Place): FoundImage | undefined {
  for (const { source: tag } of findTags(html, /<img\b/i)) {
    const [, double, single] = /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? [];
    const address = relocate(double ?? single ?? '', storedUrl, publicUrl).replaceAll('&amp;', '&');
    const whole = address.startsWith('/') && !address.startsWith('//') ? publicUrl + address : address;
    if (!isWebAddress(whole)) continue;
    const [, id] = /\bwp-image-(\d{1,15})\b/.exec(tag) ?? [];
    return { id: id === undefined ? undefined : Number(id), source: whole };
  }
  return undefined;
}

/** The file of an upload that an address names, below the uploads folder: a size of a picture is called after it. */
export function fileOf(address: string, { publicUrl, storedUrl }: Place): string | undefined {
  const uploads = `${publicUrl}/uploads/`;
  const here = relocate(address, storedUrl, publicUrl);
  return here.startsWith(uploads) ? here.slice(uploads.length).replace(/-\d+x\d+(?=\.\w+$)/, '') : undefined;
}

/** Reads pictures of the site by their ids or addresses: one statement, however many there are. */
export async function loadPictures(
  { store, publicUrl }: Pick<OriginContext, 'store' | 'publicUrl'>,
  site: Site,
  { ids, addresses }: NamedPictures,
): Promise<PictureFinder> {
  const uploads = `${publicUrl}/uploads`;
  const place = { publicUrl, storedUrl: site.url };
  const wantedIds = [...new Set(ids)].filter((id) => id > 0);
  const files = [...new Set(addresses.flatMap((address) => fileOf(address, place) ?? []))];
  const rows =
    wantedIds.length + files.length === 0
      ? []
      : await store.db
          .select({ row: content, above: ancestorsColumn(content.parentId) })
          .from(content)
          .where(and(eq(content.type, 'attachment'), or(inArray(content.id, wantedIds), inArray(content.file, files))));
  const seen = rows.flatMap(({ row, above }) => {
    const ancestors = ancestorsById(above);
    const isOpen = mayRead(row, ANONYMOUS, ({ parentId }) => ancestors.get(parentId));
    return isOpen && row.mimeType.startsWith('image/') ? [row] : [];
  });
  const byId = new Map(seen.map((row) => [row.id, pictureOf(row, uploads)]));
  const byFile = new Map(seen.map((row) => [row.file, pictureOf(row, uploads)]));
  return {
    byId: (id) => byId.get(id),
    byAddress: (address) => byFile.get(fileOf(address, place) ?? ''),
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
