import { eq } from 'drizzle-orm';
import type { Embed } from '#contracts/oembed.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { user } from '#origin/platform/store/schema.ts';
import { getAuthorUrl } from '../content-url.ts';
import type { RowWithUrl } from './find-by-url.ts';
import { findThumbnail } from './find-thumbnail.ts';

const MIN_WIDTH = 200;
const MAX_WIDTH = 600;
const MIN_HEIGHT = 200;

/** Presents the oEmbed response: author, title, and a frame with the page. */
export async function presentEmbed(
  { row, link }: RowWithUrl,
  maxWidth: number,
  { context, addresses, requestMemo }: Pick<AnyCall, 'context' | 'addresses' | 'requestMemo'>,
): Promise<Embed> {
  const { db } = context.store;
  const width = Math.min(Math.max(maxWidth, MIN_WIDTH), MAX_WIDTH);
  const height = Math.max(MIN_HEIGHT, Math.ceil((width * 9) / 16));
  const [site, [author], thumbnail] = await Promise.all([
    loadSite({ context, requestMemo }),
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
