import { asc, eq } from 'drizzle-orm';
import type { SiteSettings } from '#contracts/core/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { item, refuse, type Answer, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { user } from '#origin/platform/store/schema.ts';
import { escapeHtml } from '#origin/platform/render/escape-html.ts';
import { loadSite } from './index.ts';

export function permitSettings({ caller }: AnyCall): void {
  if (!can(caller, 'manage_options'))
    throw refuse(caller, 'rest_forbidden', 'The settings of the site are for who manages it.');
}

/** What the site is set to. What can not be set is told as it is for everybody. */
export async function answerSettings(call: AnyCall): Promise<Answer> {
  const site = await loadSite(call);
  const [first] = await call.context.store.db
    .select({ email: user.email })
    .from(user)
    .where(eq(user.role, 'administrator'))
    .orderBy(asc(user.id))
    .limit(1);
  const settings: SiteSettings = {
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
  return item(settings);
}
