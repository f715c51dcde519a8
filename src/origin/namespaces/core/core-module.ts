import { listSearchResults } from '#contracts/core/site-resources.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { serveSettings } from '#origin/platform/settings/serve-settings.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { serveComments } from './comments/comments.ts';
import { serveMedia } from './media.ts';
import { recoverMedia } from './media/store-media-files.ts';
import { navigationMenus, pages, posts } from './content.ts';
import { startSchedule } from './schedule/start-schedule.ts';
import { handleSearch } from './search-results/handle-search.ts';
import { serveIcons } from './site-resources/icons.ts';
import { siteSettings } from './site-resources/site-settings.ts';
import { serveTypes } from './site-resources/types.ts';
import { serveThemes, themeUrl } from './site-resources/themes.ts';
import { serveTerms } from './terms/terms.ts';
import { serveApplicationPasswords } from './users/application-passwords.ts';
import { serveUsers } from './users/users.ts';

export const core: NamespaceModule = {
  name: 'core',
  description: 'Content, media, terms, users, comments, settings, and the resources that block editors need.',
  namespaces: ['core/v2'],
  contentKinds: [posts, pages, navigationMenus, CONTENT_KINDS.attachment],
  serve(registry) {
    serveMedia(registry);
    serveTerms(registry);
    serveUsers(registry);
    serveApplicationPasswords(registry);
    serveComments(registry);
    registry.serve(listSearchResults, handleSearch);
    serveTypes(registry);
    serveThemes(registry);
    serveSettings(registry, siteSettings);
    serveIcons(registry);
  },
  events: {
    media: 'A media item',
    category: 'A category',
    tag: 'A tag',
    user: 'A user',
    settings: 'Settings of the site',
  },
  async siteLinks(call) {
    if (!can(call.caller, 'edit_posts')) return {};
    return { 'wp:active-theme': [{ href: themeUrl(call, (await loadSite(call)).theme) }] };
  },
  async start(context) {
    await recoverMedia(context);
    return startSchedule(context);
  },
};
