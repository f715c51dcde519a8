import { createHash } from 'node:crypto';
import { and, eq, inArray, notInArray, type SQL } from 'drizzle-orm';
import type { Embed } from '#contracts/oembed.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { ANONYMOUS, type Caller } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { texturise } from '#origin/platform/render/texturise.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { loadSite, replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import { content, user } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { isReadableBy } from './content-rights.ts';
import { getAuthorUrl, getContentUrl, loadAncestors } from './content-url.ts';
import { readMediaFile } from './read-media-file.ts';

type Stored = Pick<OriginContext, 'store' | 'kinds'>;

/** A visible row with the address of its page. */
export type RowWithUrl = Awaited<ReturnType<typeof findReadable>>[number];

/**
 * Finds the row for the address of its page: by path, with or without trailing slash, or by ID.
 *
 * @param site address of the site, without a trailing slash
 * @param caller the viewer. @default anonymous: only public rows are found
 */
export async function findByUrl(
  context: Stored,
  site: string,
  address: string,
  caller: Caller = ANONYMOUS,
): Promise<RowWithUrl | undefined> {
  const path = parseSiteUrl(site, address);
  if (path === undefined) return undefined;
  const [id] = pagesOf(context)
    .map(({ idParameter }) => path.searchParams.get(idParameter) ?? '')
    .filter((text) => /^\d{1,15}$/.test(text));
  if (id !== undefined) return (await findReadable(context, site, eq(content.id, Number(id)), caller))[0];
  // Slugs are stored encoded in lower case.
  const slug = path.pathname.toLowerCase().split('/').findLast(Boolean);
  if (slug === undefined) return undefined;
  const found = await findReadable(context, site, eq(content.slug, slug), caller);
  return found.find(({ link }) => isSamePath(new URL(link).pathname, path.pathname));
}

/** Parses an address of the site. Undefined for other hosts and ports; the scheme may differ. */
export function parseSiteUrl(site: string, address: string): URL | undefined {
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const root = new URL(site);
  const isBelow = `${url.pathname}/`.startsWith(root.pathname.replace(/\/?$/, '/'));
  return url.host === root.host && isBelow ? url : undefined;
}

/** Compares paths, ignoring case and trailing slashes. */
export function isSamePath(a: string, b: string): boolean {
  const [first, second] = [a, b].map((path) => path.replace(/\/?$/, '/').toLowerCase());
  return first === second;
}

function pagesOf({ kinds }: Stored): ContentKind[] {
  return [...kinds.values()].filter(({ hasPage }) => hasPage);
}

async function findReadable(context: Stored, site: string, condition: SQL, caller: Caller) {
  const { kinds } = context;
  const { db } = context.store;
  const types = pagesOf(context).map(({ type }) => type);
  const rows = await db
    .select()
    .from(content)
    .where(
      and(
        condition,
        inArray(content.type, types),
        notInArray(content.status, ['trash', 'auto-draft']),
        isReadableBy(caller),
      ),
    );
  const ancestors = await loadAncestors(db, rows);
  return rows.map((row) => ({ row, link: getContentUrl(row, { site, kinds }, ancestors) }));
}

/** Maximum number of addresses per response. Further ones are not embedded. */
const MAX_EMBEDS = 50;
const WIDTH = 500;
const HEIGHT = 282;

/**
 * Creates embeds for addresses of this site on their own line in the content: a link, and a frame that a script of
 * the host page displays when loaded. Only public rows are embedded.
 *
 * @returns HTML by address
 */
export async function loadEmbeds(
  { context, addresses }: Pick<AnyCall, 'context' | 'addresses'>,
  site: Site,
  rows: readonly Pick<ContentRow, 'content'>[],
): Promise<ReadonlyMap<string, string>> {
  const candidates: string[] = [];
  for (const row of rows) {
    const content = replaceSiteUrl(row.content, site.url, addresses.site);
    candidates.push(...(await runTextJob('addresses', content)));
  }
  const siteUrls = [...new Set(candidates)].filter((address) => address.startsWith(`${addresses.site}/`));
  const found = await Promise.all(
    siteUrls.slice(0, MAX_EMBEDS).map(async (address) => {
      const target = await findByUrl(context, addresses.site, address);
      return target ? [[address, frame(target, site.name)] as const] : [];
    }),
  );
  return new Map(found.flat());
}

/** The provider and the host each add a secret to the address. The script matches frames by the last one. */
function frame({ row, link }: RowWithUrl, siteName: string): string {
  const title = renderTitle(row);
  const secret = digest(link);
  const plainTitle = row.password === '' ? row.title : `Protected: ${row.title}`;
  const label = escapeHtml(`“${plainText(plainTitle)}” — ${siteName}`);
  const address = `${getEmbedUrl(link)}#?secret=${digest(title)}#?secret=${secret}`;
  return (
    `<blockquote class="wp-embedded-content" data-secret="${secret}">` +
    `<p><a href="${escapeHtml(link)}">${title}</a></p></blockquote>\n` +
    `<p><iframe loading="lazy" class="wp-embedded-content" sandbox="allow-scripts" security="restricted"` +
    ` style="position: absolute; visibility: hidden;" title="${label}" src="${escapeHtml(address)}"` +
    ` data-secret="${secret}" width="${WIDTH}" height="${HEIGHT}" frameborder="0" marginwidth="0" marginheight="0"` +
    ` scrolling="no"></iframe></p>`
  );
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}

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
    html: embedFrame(link, title, provider, width, height),
    ...(thumbnail
      ? { thumbnail_url: thumbnail.url, thumbnail_width: thumbnail.width, thumbnail_height: thumbnail.height }
      : {}),
  };
}

/** Renders a title as HTML. Password-protected rows get a prefix. */
export function renderTitle({ title, password }: RowWithUrl['row']): string {
  return texturise(password === '' ? title : `Protected: ${title}`);
}

function getEmbedUrl(link: string): string {
  return link.includes('?') ? `${link}&embed=true` : `${link}embed/`;
}

/** A link for hosts without frames, and a sandboxed frame that may only open links. */
function embedFrame(link: string, title: string, provider: string, width: number, height: number): string {
  const label = escapeHtml(`${title} – ${provider}`);
  return (
    `<blockquote><a href="${escapeHtml(link)}">${title}</a></blockquote>` +
    `<iframe src="${escapeHtml(getEmbedUrl(link))}" width="${width}" height="${height}" title="${label}"` +
    ` sandbox="allow-popups allow-top-navigation-by-user-activation" loading="lazy"` +
    ` style="border: 0; max-width: 100%"></iframe>`
  );
}

/**
 * Finds the featured image of a row, or the row itself if it is an image. Chooses the smallest size that is at least
 * as wide as displayed, else the full image.
 */
export async function findThumbnail(db: Database, site: string, row: ContentRow, width: number) {
  if (row.type === 'attachment') return thumbnailOf(row, site, width);
  if (row.featuredMedia === 0) return undefined;
  const isFeatured = and(eq(content.id, row.featuredMedia), eq(content.type, 'attachment'));
  const [picture] = await db
    .select()
    .from(content)
    .where(and(isFeatured, isReadableBy(ANONYMOUS)));
  return thumbnailOf(picture, site, width);
}

export function thumbnailOf(picture: ContentRow | undefined, site: string, width: number) {
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
