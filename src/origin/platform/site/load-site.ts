import { eq, asc, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { SiteSettings } from '#contracts/core/index.ts';
import { isTimeZone } from '#contracts/site-clock.ts';
import type { Memo } from '#origin/platform/context/memo.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { prepareOnce } from '#origin/platform/store/prepare-once.ts';
import { option, user } from '#origin/platform/store/schema.ts';

const storedSite = z.object({
  name: z.string().catch(''),
  description: z.string().catch(''),
  /** An IANA name: local times of content are times of this zone. */
  timezone: z.string().refine(isTimeZone).catch('UTC'),
  /** The address the site had when its content was stored: own links in it start with this. */
  url: z.string().optional().catch(undefined),
  /** What its looks are called towards editors. */
  theme: z.string().catch('sortiment'),
  /** The category of posts that were given none. */
  default_category: z.int().catch(0),
  /** Whether users are shown with a picture, found by a hash of their e-mail address at a service elsewhere. */
  avatars: z.boolean().catch(true),
});

export type Site = Readonly<z.output<typeof storedSite>>;

/** What of a request the settings are read with, and kept in. */
interface SiteRequest {
  context: Pick<OriginContext, 'store'>;
  requestMemo: Memo;
}

/** The settings of the site, read once a request. */
export function loadSite(call: SiteRequest): Promise<Site> {
  return call.requestMemo.once(SITE_OPTION, async () => {
    const [stored] = await siteStatement(call.context.store.db);
    return readSite(stored?.value);
  });
}

function readSite(stored: unknown): Site {
  const text = JSON.stringify(stored ?? {});
  if (lastSite?.text !== text) lastSite = { text, site: Object.freeze(storedSite.parse(stored ?? {})) };
  return lastSite.site;
}

/** Settings hardly ever change, and every request reads them. */
let lastSite: { text: string; site: Site } | undefined;

/** The name under which the store keeps the site's settings. */
export const SITE_OPTION = 'site';

const siteStatement = prepareOnce((db) => db.select().from(option).where(eq(option.name, SITE_OPTION)).prepare(''));

/** The same as a column of a statement that is run anyway; `keepSite` takes what it finds. */
export const SITE_COLUMN = sql<unknown>`(select ${option.value} from ${option} where ${option.name} = ${SITE_OPTION})`;

export function isSiteLoaded({ requestMemo }: Pick<SiteRequest, 'requestMemo'>): boolean {
  return requestMemo.known(SITE_OPTION) !== undefined;
}

/** For the rest of the request, unless it is known already. */
export function keepSite({ requestMemo }: Pick<SiteRequest, 'requestMemo'>, stored: unknown): void {
  if (!isSiteLoaded({ requestMemo })) requestMemo.keep(SITE_OPTION, readSite(stored));
}

/**
 * Replaces the address a site had by the one it has, wherever it begins an address of the site: in links,
 * sources and plain text, not inside a longer host name or port.
 */
export function relocate(text: string, from: string | undefined, to: string): string {
  if (from === undefined || from === '' || from === to || !text.includes(from)) return text;
  if (lastFrom?.address !== from)
    lastFrom = { address: from, pattern: new RegExp(`${escapeText(from)}(?![\\w-]|[.:]\\w)`, 'g') };
  return text.replaceAll(lastFrom.pattern, () => to);
}

let lastFrom: { address: string; pattern: RegExp } | undefined;

function escapeText(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** The site's settings, with fixed values for those that can't be changed. */
export async function showSettings(call: SiteRequest & { addresses: { site: string } }): Promise<SiteSettings> {
  const site = await loadSite(call);
  const [first] = await call.context.store.db
    .select({ email: user.email })
    .from(user)
    .where(eq(user.role, 'administrator'))
    .orderBy(asc(user.id))
    .limit(1);
  return {
    title: escapeHtml(site.name),
    description: escapeHtml(site.description),
    url: call.addresses.site,
    email: first?.email ?? '',
    timezone: site.timezone,
    date_format: 'F j, Y',
    time_format: 'g:i a',
    start_of_week: 1,
    language: 'en_US',
    use_smilies: true,
    default_category: site.default_category,
    default_post_format: '0',
    posts_per_page: 10,
    show_on_front: 'posts',
    page_on_front: 0,
    page_for_posts: 0,
    default_ping_status: 'open',
    default_comment_status: 'open',
    site_logo: null,
    site_icon: 0,
  };
}
