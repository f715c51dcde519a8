import { can } from '#origin/platform/http/callers/index.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { recoverMedia } from './media/recover-media.ts';
import { startSchedule } from './schedule/index.ts';
import { themeAddress } from './site-resources/themes.ts';
import { serveComments } from './comments.ts';
import { serveMedia } from './media.ts';
import { navigationMenus, pages } from './pages.ts';
import { posts } from './posts.ts';
import { serveSearch } from './search-results.ts';
import { serveSiteResources } from './site-resources.ts';
import { serveTerms } from './terms.ts';
import { serveUsers } from './users.ts';

/** The `core/v2` namespace. */
export const core: NamespaceModule = {
  name: 'core',
  description: 'Content of the site, its terms, users, comments and settings, and what editors need to know of it.',
  namespaces: ['core/v2'],
  contentKinds: [posts, pages, navigationMenus, CONTENT_KINDS.attachment],
  serve(registry) {
    serveMedia(registry);
    serveTerms(registry);
    serveUsers(registry);
    serveComments(registry);
    serveSearch(registry);
    serveSiteResources(registry);
  },
  events: {
    media: 'A medium',
    category: 'A category',
    tag: 'A tag',
    user: 'A user',
    settings: 'Settings of the site',
  },
  async siteLinks(call) {
    if (!can(call.caller, 'edit_posts')) return {};
    return { 'wp:active-theme': [{ href: themeAddress(call, (await loadSite(call)).theme) }] };
  },
  async start(context) {
    await recoverMedia(context);
    return startSchedule(context);
  },
};
