import { eq } from 'drizzle-orm';
import { SITE_LOCALE } from '#contracts/core/user.ts';
import { isWebAddress } from '#contracts/podcast/index.ts';
import { getAuthorUrl } from '#origin/platform/content/content-url.ts';
import { avatarUrl } from '#origin/platform/accounts/avatars.ts';
import type { UserRow } from '#origin/platform/accounts/users.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';
import { user } from '#origin/platform/store/schema.ts';
import type { SeoOptions } from '../options.ts';
import type { HeadPerson, HeadSite } from './head-page.ts';
import { loadHeadImages, type ImageFinder } from './load-images.ts';

const AVATAR_PIXELS = 96;

/** Loads the site data of heads. */
export async function loadHeadSite(
  context: Pick<OriginContext, 'store' | 'publicUrl'>,
  site: Site,
  stored: SeoOptions,
): Promise<HeadSite> {
  const toCurrentUrl = (address: string) =>
    isWebAddress(address) ? replaceSiteUrl(address, site.url, context.publicUrl) : '';
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
  const pictures = await loadHeadImages(context, site, { ids: [logoId, options.og_default_image_id], addresses: [] });
  return {
    name: escapeHtml(site.name),
    description: escapeHtml(site.description),
    url: context.publicUrl,
    locale: SITE_LOCALE,
    options,
    person: isCompany ? undefined : await findPerson(context, site, options),
    logo: findChosenImage(pictures, logoId, logoUrl),
    defaultPicture: findChosenImage(pictures, options.og_default_image_id, options.og_default_image),
  };
}

/** Returns the chosen media item, or else an image with the address alone. */
export function findChosenImage(pictures: ImageFinder, id: number, url: string) {
  return pictures.byId(id) ?? (url === '' ? undefined : (pictures.byAddress(url) ?? { url }));
}

async function findPerson(
  context: Pick<OriginContext, 'store' | 'publicUrl'>,
  site: Site,
  { company_or_person_user_id: id, avatars }: SeoOptions,
): Promise<HeadPerson | undefined> {
  if (id === 0) return undefined;
  const [row] = await context.store.db.select().from(user).where(eq(user.id, id));
  return row && createPerson(row, { site, avatars, publicUrl: context.publicUrl });
}

interface PersonScope {
  site: Site;
  /** True if heads can contain avatars, whose addresses contain a hash of the e-mail address. */
  avatars: boolean;
  publicUrl: string;
}

/** Describes a person for heads. */
export function createPerson(row: UserRow, { site, avatars, publicUrl }: PersonScope): HeadPerson {
  const website = replaceSiteUrl(row.url, site.url, publicUrl);
  return {
    id: row.id,
    name: plainText(row.name),
    slug: row.slug,
    url: getAuthorUrl(row, publicUrl),
    description: plainText(row.description),
    // The site itself is not an external profile of the person.
    website: isWebAddress(website) && website.replace(/\/$/, '') !== publicUrl ? website : '',
    avatar: site.avatars && avatars ? avatarUrl(row.email, AVATAR_PIXELS) : undefined,
  };
}
