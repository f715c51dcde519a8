import { eq, and } from 'drizzle-orm';
import type { Embed } from '#contracts/oembed.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { user, content } from '#origin/platform/store/schema.ts';
import { getAuthorUrl } from '../content-url.ts';
import type { RowWithUrl } from './find-by-url.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { isReadableBy } from '../content-rights.ts';
import { readMediaFile } from '../read-media-file.ts';
import { ANONYMOUS } from '#origin/platform/http/callers/caller.ts';
import type { Database } from '#origin/platform/store/store.ts';

const MIN_WIDTH = 200;
const MAX_WIDTH = 600;
const MIN_HEIGHT = 200;

/** Presents the oEmbed response: author, title, and a frame with the page. */
export async function presentEmbed(
  { row, link }: RowWithUrl,
  maxWidth: number,
  { context, addresses }: Pick<AnyCall, 'context' | 'addresses'>,
): Promise<Embed> {
  const { db } = context.store;
  const width = Math.min(Math.max(maxWidth, MIN_WIDTH), MAX_WIDTH);
  const height = Math.max(MIN_HEIGHT, Math.ceil((width * 9) / 16));
  const [site, [author], thumbnail] = await Promise.all([
    loadSite({ context }),
    db.select({ name: user.name, slug: user.slug }).from(user).where(eq(user.id, row.authorId)).limit(1),
    findThumbnail(db, addresses.site, row, width),
  ]);
  const title = renderTitle(row);
  const provider = escapeHtml(site.name);
  return {
    version: '1.0',
    provider_name: provider,
    provider_url: addresses.site,
    ...(author ? { author_name: author.name, author_url: getAuthorUrl(author, addresses.site) } : {}),
    title,
    type: row.mimeType.startsWith('video/') ? 'video' : 'rich',
    width,
    height,
    html: frame(link, title, provider, width, height),
    ...(thumbnail
      ? { thumbnail_url: thumbnail.url, thumbnail_width: thumbnail.width, thumbnail_height: thumbnail.height }
      : {}),
  };
}

/** Renders a title as HTML. Password-protected rows get a prefix. */
export function renderTitle({ title, password }: RowWithUrl['row']): string {
  return texturise(password === '' ? title : `Protected: ${title}`);
}

/** Returns the address of the embedded page. */
export function getEmbedUrl(link: string): string {
  return link.includes('?') ? `${link}&embed=true` : `${link}embed/`;
}

/** A link for hosts without frames, and a sandboxed frame that may only open links. */
function frame(link: string, title: string, provider: string, width: number, height: number): string {
  const label = escapeHtml(`${title} – ${provider}`);
  return (
    `<blockquote><a href="${escapeHtml(link)}">${title}</a></blockquote>` +
    `<iframe src="${escapeHtml(getEmbedUrl(link))}" width="${width}" height="${height}" title="${label}"` +
    ` sandbox="allow-popups allow-top-navigation-by-user-activation" loading="lazy"` +
    ` style="border: 0; max-width: 100%"></iframe>`
  );
}

interface Thumbnail {
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
    .where(and(eq(content.id, id), eq(content.type, 'attachment'), isReadableBy(ANONYMOUS)));
  return row;
}
