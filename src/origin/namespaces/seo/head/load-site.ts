import { and, eq, inArray, like, or, sql, type SQL } from 'drizzle-orm';
import { SITE_LOCALE } from '#contracts/core/user-routes.ts';
import { isWebAddress } from '#contracts/podcast/shared-schemas.ts';
import { getAuthorUrl } from '#origin/platform/content/content-url.ts';
import { avatarUrl, type UserRow } from '#origin/platform/accounts/users.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import { user, content } from '#origin/platform/store/schema.ts';
import type { SeoOptions } from '../options.ts';
import { findTags } from '#contracts/scan-text.ts';
import type { SeoSettings } from '#contracts/seo/settings.ts';
import { isReadableBy } from '#origin/platform/content/content-rights.ts';
import { readMediaFile } from '#origin/platform/content/read-media-file.ts';
import { ANONYMOUS } from '#origin/platform/http/callers/caller.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';

const AVATAR_PIXELS = 96;

/** The site, whose stored address may differ from the public address of the context. */
export interface SiteScope {
  context: Pick<OriginContext, 'store' | 'publicUrl'>;
  site: Site;
}

function replaceStoredUrl(text: string, { context, site }: SiteScope): string {
  return replaceSiteUrl(text, site.url, context.publicUrl);
}

/** An image with its known properties. */
export interface PageImage {
  url: string;
  width?: number | undefined;
  height?: number | undefined;
  mimeType?: string | undefined;
  caption?: string | undefined;
  /** Address in the text, if the image was found there. */
  source?: string | undefined;
}

export type HeadSite = Awaited<ReturnType<typeof loadHeadSite>>;

/** Loads the site data of heads. Texts are plain, as stored. Addresses have no trailing slash. */
export async function loadHeadSite(scope: SiteScope, stored: SeoOptions) {
  const { context, site } = scope;
  const toCurrentUrl = (address: string) => (isWebAddress(address) ? replaceStoredUrl(address, scope) : '');
  const options: SeoOptions = {
    ...stored,
    company_logo: toCurrentUrl(stored.company_logo),
    person_logo: toCurrentUrl(stored.person_logo),
    og_default_image: toCurrentUrl(stored.og_default_image),
    facebook_site: toCurrentUrl(stored.facebook_site),
    other_social_urls: stored.other_social_urls.map(toCurrentUrl).filter((address) => address !== ''),
  };
  const isCompany = options.company_or_person === 'company';
  const logoId = isCompany ? options.company_logo_id : options.person_logo_id;
  const logoUrl = isCompany ? options.company_logo : options.person_logo;
  const personId = isCompany ? 0 : options.company_or_person_user_id;
  const [person] = personId === 0 ? [] : await context.store.db.select().from(user).where(eq(user.id, personId));
  const pictures = await loadHeadImages(scope, { ids: [logoId, options.og_default_image_id], addresses: [] });
  return {
    // Entities replace `&`, `<` and quotes, as in the settings of the core API.
    name: escapeHtml(site.name),
    description: escapeHtml(site.description),
    url: context.publicUrl,
    locale: SITE_LOCALE,
    options,
    /** Person that publishes the site, if any. */
    person: person && createPerson(person, scope, options),
    /** Logo of the company or the person. */
    logo: findChosenImage(pictures, logoId, logoUrl),
    /** Social image of pages without an image. */
    defaultPicture: findChosenImage(pictures, options.og_default_image_id, options.og_default_image),
  };
}

/** Returns the chosen media item, or else an image with the address alone. */
export function findChosenImage(pictures: ImageFinder, id: number, url: string): PageImage | undefined {
  return pictures.byId(id) ?? (url === '' ? undefined : (pictures.byAddress(url) ?? { url }));
}

export type HeadPerson = ReturnType<typeof createPerson>;

export function createPerson(row: UserRow, scope: SiteScope, { avatars }: SeoOptions) {
  const { publicUrl } = scope.context;
  const website = replaceStoredUrl(row.url, scope);
  return {
    id: row.id,
    name: plainText(row.name),
    slug: row.slug,
    /** Address of the author's archive page. */
    url: getAuthorUrl(row, publicUrl),
    description: plainText(row.description),
    /** Address of the person's website; empty for none. The site itself is not an external profile. */
    website: isWebAddress(website) && website.replace(/\/$/, '') !== publicUrl ? website : '',
    // The addresses of avatars contain a hash of the e-mail address.
    avatar: scope.site.avatars && avatars ? avatarUrl(row.email, AVATAR_PIXELS) : undefined,
  };
}

/** Larger files are replaced by a smaller size of the image. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Collects the images that the head of a content row can contain, including the first image of its text. */
export function collectImages(
  { content: text, featuredMedia }: Pick<ContentRow, 'content' | 'featuredMedia'>,
  { og_image_id, twitter_image_id, og_image, twitter_image }: SeoSettings,
  scope: SiteScope,
) {
  const first = firstImage(text, scope);
  const ids = [featuredMedia, og_image_id, twitter_image_id, first?.id ?? 0].filter((id) => id > 0);
  const addresses = [og_image, twitter_image, first?.source ?? ''].filter((address) => address !== '');
  const files = addresses.flatMap((address) => uploadFilePath(address, scope) ?? []);
  return { ids, addresses, first, keys: [...ids.map(String), ...files] };
}

/** Finds the first image in a text with a web address, and the ID of its media item if the markup contains it. */
function firstImage(html: string, scope: SiteScope) {
  for (const { source: tag } of findTags(html, /<img\b/i)) {
    const [, double, single] = /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag) ?? [];
    const address = replaceStoredUrl(double ?? single ?? '', scope).replaceAll('&amp;', '&');
    const isPath = address.startsWith('/') && !address.startsWith('//');
    const absolute = isPath ? scope.context.publicUrl + address : address;
    if (!isWebAddress(absolute)) continue;
    const [, id] = /\bwp-image-(\d{1,15})\b/.exec(tag) ?? [];
    return { id: id === undefined ? undefined : Number(id), source: absolute };
  }
  return undefined;
}

/** Returns the path of an upload below the uploads folder, without the dimensions of an image size. */
function uploadFilePath(address: string, scope: SiteScope): string | undefined {
  const uploads = `${scope.context.publicUrl}/uploads/`;
  const currentAddress = replaceStoredUrl(address, scope);
  return currentAddress.startsWith(uploads)
    ? currentAddress.slice(uploads.length).replace(/-\d+x\d+(?=\.\w+$)/, '')
    : undefined;
}

function isPublicImage(): SQL | undefined {
  return and(eq(content.type, 'attachment'), like(content.mimeType, 'image/%'), isReadableBy(ANONYMOUS));
}

/** Loads digests of all images of the site, by ID and by file. */
export async function loadImageVersions({ store }: Pick<OriginContext, 'store'>) {
  const rows = await store.db
    .select({ id: content.id, file: content.file, version: sql<string>`md5((${content}.*)::text)` })
    .from(content)
    .where(isPublicImage());
  return new Map(rows.flatMap(({ id, file, version }) => [[String(id), version] as const, [file, version] as const]));
}

type ImageFinder = Awaited<ReturnType<typeof loadHeadImages>>;

/** Loads images of the site by ID or address, in one statement. */
export async function loadHeadImages(
  scope: SiteScope,
  { ids, addresses }: { ids: readonly number[]; addresses: readonly string[] },
) {
  const { store, publicUrl } = scope.context;
  const uploads = `${publicUrl}/uploads`;
  const uniqueIds = [...new Set(ids)].filter((id) => id > 0);
  const files = [...new Set(addresses.flatMap((address) => uploadFilePath(address, scope) ?? []))];
  const isReferenced = or(inArray(content.id, uniqueIds), inArray(content.file, files));
  const visible =
    uniqueIds.length + files.length === 0
      ? []
      : await store.db.select().from(content).where(and(isPublicImage(), isReferenced));
  const byId = new Map(visible.map((row) => [row.id, pictureOf(row, uploads)]));
  const byFile = new Map(visible.map((row) => [row.file, pictureOf(row, uploads)]));
  return {
    byId: (id: number) => byId.get(id),
    byAddress: (address: string) => byFile.get(uploadFilePath(address, scope) ?? ''),
  };
}

/** Returns the original image, or its largest size within the limit. */
function pictureOf(row: ContentRow, uploads: string): PageImage {
  const { url, details, urlOf } = readMediaFile(row, uploads);
  const caption = plainText(row.excerpt) || plainText(row.altText) || undefined;
  const original = { url, width: details.width, height: details.height, mimeType: row.mimeType, caption };
  if ((details.filesize ?? 0) <= MAX_BYTES) return original;
  const [largest] = Object.values(details.sizes)
    .filter(({ filesize = 0 }) => filesize <= MAX_BYTES)
    .toSorted((a, b) => b.width - a.width);
  if (!largest) return original;
  const { file, width, height, mime_type: mimeType } = largest;
  return { url: urlOf(file), width, height, mimeType, caption };
}
