import { listSearchResults } from '#contracts/core/site-resources.ts';
import {
  createComment as addComment,
  deleteComment as removeComment,
  getComment,
  listComments,
  updateComment as changeComment,
} from '#contracts/core/comment-routes.ts';
import {
  getIcon,
  getIconCollection,
  listBlockPatternCategories,
  listBlockPatterns,
  listIconCollections,
  listIcons,
  listIconsOfCollection,
  listMenus,
  listPatternCategories,
  getTheme,
  listThemes,
} from '#contracts/core/editor.ts';
import { getStatus, getTaxonomy, getType, listStatuses, listTaxonomies, listTypes } from '#contracts/core/routes.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { serveSettings } from '#origin/platform/settings/serve-settings.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { authorizeCommentList, authorizeCommentRead, comments, listCommentPage } from './comments/find-comments.ts';
import {
  authorizeCommentCreate,
  authorizeCommentDelete,
  authorizeCommentUpdate,
  createComment,
  deleteComment,
  updateComment,
} from './comments/write-comments.ts';
import { getResource } from '#origin/platform/content/resources/resource.ts';
import { serveMedia } from './media.ts';
import { recoverMedia } from './media/store-media-files.ts';
import { navigationMenus, pages, posts, serveTerms } from './content.ts';
import { startSchedule } from './schedule/start-schedule.ts';
import { handleSearch } from './search-results/handle-search.ts';
import {
  handleListPatternCategories,
  handleListPatterns,
  authorizePatterns,
  handleGetIcon,
  handleGetIconCollection,
  handleListIconCollections,
  handleListIcons,
  authorizeIcons,
} from './site-resources/icons.ts';
import { siteSettings } from './site-resources/site-settings.ts';
import {
  handleGetStatus,
  handleListStatuses,
  authorizeStatusRead,
  authorizeStatusList,
  handleGetType,
  handleListTypes,
  authorizeTypeRead,
  authorizeTypeList,
} from './site-resources/types.ts';
import {
  handleListNoTerms,
  authorizeMenus,
  handleListTaxonomies,
  handleGetTaxonomy,
  authorizeTaxonomyList,
  authorizeTaxonomyRead,
} from './site-resources/taxonomies.ts';
import { themeUrl, handleGetTheme, handleListThemes, authorizeThemes } from './site-resources/themes.ts';
import { authorizeTermList } from './terms/find-terms.ts';
import { serveUsers } from './users.ts';

/** The `core/v2` namespace. */
export const core: NamespaceModule = {
  name: 'core',
  description: 'Content, media, terms, users, comments, settings, and the resources that block editors need.',
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

/** Serves the search over posts, pages and terms. */
function serveSearch(registry: RouteRegistry): void {
  registry.serve(listSearchResults, handleSearch);
}

function serveComments(registry: RouteRegistry): void {
  registry.serve(listComments, listCommentPage, { permit: authorizeCommentList });
  registry.serve(addComment, createComment, { permit: authorizeCommentCreate });
  registry.serve(getComment, (call) => getResource(call, comments), { permit: authorizeCommentRead });
  registry.serve(changeComment, updateComment, { permit: authorizeCommentUpdate });
  registry.serve(removeComment, deleteComment, { permit: authorizeCommentDelete });
}

/** Serves content types, statuses, taxonomies, themes, settings, patterns and icons. */
function serveSiteResources(registry: RouteRegistry): void {
  registry.serve(listTypes, handleListTypes, { permit: authorizeTypeList });
  registry.serve(getType, handleGetType, { permit: authorizeTypeRead });
  registry.serve(listStatuses, handleListStatuses, { permit: authorizeStatusList });
  registry.serve(getStatus, handleGetStatus, { permit: authorizeStatusRead });
  registry.serve(listTaxonomies, handleListTaxonomies, { permit: authorizeTaxonomyList });
  registry.serve(getTaxonomy, handleGetTaxonomy, { permit: authorizeTaxonomyRead });
  registry.serve(listThemes, handleListThemes, { permit: authorizeThemes });
  registry.serve(getTheme, handleGetTheme, { permit: authorizeThemes });
  registry.serve(listMenus, handleListNoTerms, { permit: authorizeMenus });
  registry.serve(listPatternCategories, handleListNoTerms, { permit: authorizeTermList });
  serveSettings(registry, siteSettings);

  registry.serve(listBlockPatterns, handleListPatterns, { permit: authorizePatterns });
  registry.serve(listBlockPatternCategories, handleListPatternCategories, { permit: authorizePatterns });
  registry.serve(listIcons, (call) => handleListIcons(call, call.query.collection), { permit: authorizeIcons });
  registry.serve(listIconsOfCollection, (call) => handleListIcons(call, call.params.collection), {
    permit: authorizeIcons,
  });
  registry.serve(getIcon, handleGetIcon, { permit: authorizeIcons });
  registry.serve(listIconCollections, handleListIconCollections, { permit: authorizeIcons });
  registry.serve(getIconCollection, handleGetIconCollection, { permit: authorizeIcons });
}
