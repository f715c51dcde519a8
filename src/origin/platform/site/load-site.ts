import { eq, asc } from 'drizzle-orm';
import { z } from 'zod';
import type { SiteSettings } from '#contracts/core/site-resources.ts';
import { isTimeZone } from '#contracts/site-clock.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { readOption } from '#origin/platform/store/lock-option.ts';
import { user } from '#origin/platform/store/schema.ts';

const storedSite = z.object({
  name: z.string().catch(''),
  description: z.string().catch(''),
  /** IANA name of the time zone of local times in content. */
  timezone: z.string().refine(isTimeZone).catch('UTC'),
  /** Address of the site at the time its content was stored; internal links in content begin with it. */
  url: z.string().optional().catch(undefined),
  /** Theme name for editors. */
  theme: z.string().catch('sortiment'),
  /** Category of posts without a category. */
  default_category: z.int().catch(0),
  /** True to show avatars of users, found by a hash of their mail address at an external service. */
  avatars: z.boolean().catch(true),
});

export type Site = Readonly<z.output<typeof storedSite>>;

interface SiteRequest {
  context: Pick<OriginContext, 'store'>;
}

/** Loads the settings of the site, once between two writes. */
export function loadSite({ context: { store } }: SiteRequest): Promise<Site> {
  return store.writes.once(SITE_OPTION, async () => storedSite.parse(await readOption(store.db, SITE_OPTION)));
}

/** Key of the settings in the store. */
export const SITE_OPTION = 'site';

/**
 * Replaces the former address of the site by the current one in links, sources and plain text. Longer host names and
 * other ports are not changed.
 */
export function replaceSiteUrl(text: string, from: string | undefined, to: string): string {
  if (from === undefined || from === '' || from === to || !text.includes(from)) return text;
  if (lastFrom?.address !== from)
    lastFrom = { address: from, pattern: new RegExp(`${RegExp.escape(from)}(?![\\w-]|[.:]\\w)`, 'g') };
  return text.replaceAll(lastFrom.pattern, () => to);
}

let lastFrom: { address: string; pattern: RegExp } | undefined;

/** Presents the settings of the site, with fixed values for those that can't be changed. */
export async function presentSiteSettings(call: SiteRequest & { addresses: { site: string } }): Promise<SiteSettings> {
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
