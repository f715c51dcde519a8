import {
  listSearchResults,
  createComment as addComment,
  deleteComment as removeComment,
  getComment,
  listComments,
  updateComment as changeComment,
  getIcon,
  getIconCollection,
  getStatus,
  getTaxonomy,
  getTheme,
  getType,
  listBlockPatternCategories,
  listBlockPatterns,
  listIconCollections,
  listIcons,
  listIconsOfCollection,
  listMenus,
  listPatternCategories,
  listStatuses,
  listTaxonomies,
  listThemes,
  listTypes,
} from '#contracts/core/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { serveSettings } from '#origin/platform/settings/serve-settings.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { answerComment, answerComments, permitComment, permitComments } from './comments/answer-comments.ts';
import { deleteComment } from './comments/delete-comment.ts';
import { permitCommentChange, permitCommentDeletion, permitNewComment } from './comments/permit-comment-writing.ts';
import { updateComment } from './comments/update-comment.ts';
import { createComment } from './comments/write-comments.ts';
import { serveMedia } from './media.ts';
import { recoverMedia } from './media/file-journal.ts';
import { navigationMenus, pages } from './pages.ts';
import { posts } from './posts.ts';
import { startSchedule } from './schedule/index.ts';
import { answerSearch } from './search-results/answer-search.ts';
import { answerPatternCategories, answerPatterns, permitPatterns } from './site-resources/block-patterns.ts';
import {
  answerIcon,
  answerIconCollection,
  answerIconCollections,
  answerIcons,
  permitIcons,
} from './site-resources/icons.ts';
import { siteSettings } from './site-resources/site-settings.ts';
import { answerStatus, answerStatuses, permitStatus, permitStatuses } from './site-resources/statuses.ts';
import {
  answerNoTerms,
  permitMenus,
  answerTaxonomies,
  answerTaxonomy,
  permitTaxonomies,
  permitTaxonomy,
} from './site-resources/taxonomies.ts';
import { themeAddress, answerTheme, answerThemes, permitThemes } from './site-resources/themes.ts';
import { answerType, answerTypes, permitType, permitTypes } from './site-resources/types.ts';
import { serveTerms } from './terms.ts';
import { permitTerms } from './terms/answer-terms.ts';
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
    return { 'wp:active-theme': [{ href: themeAddress(call, (await loadSite(call)).theme) }] };
  },
  async start(context) {
    await recoverMedia(context);
    return startSchedule(context);
  },
};

/** Serves the search over posts, pages and terms. */
function serveSearch(registry: RouteRegistry): void {
  registry.serve(listSearchResults, answerSearch);
}

function serveComments(registry: RouteRegistry): void {
  registry.serve(listComments, answerComments, { permit: permitComments });
  registry.serve(addComment, createComment, { permit: permitNewComment });
  registry.serve(getComment, answerComment, { permit: permitComment });
  registry.serve(changeComment, updateComment, { permit: permitCommentChange });
  registry.serve(removeComment, deleteComment, { permit: permitCommentDeletion });
}

/** Serves content types, statuses, taxonomies, themes, settings, patterns and icons. */
function serveSiteResources(registry: RouteRegistry): void {
  registry.serve(listTypes, answerTypes, { permit: permitTypes });
  registry.serve(getType, answerType, { permit: permitType });
  registry.serve(listStatuses, answerStatuses, { permit: permitStatuses });
  registry.serve(getStatus, answerStatus, { permit: permitStatus });
  registry.serve(listTaxonomies, answerTaxonomies, { permit: permitTaxonomies });
  registry.serve(getTaxonomy, answerTaxonomy, { permit: permitTaxonomy });
  registry.serve(listThemes, answerThemes, { permit: permitThemes });
  registry.serve(getTheme, answerTheme, { permit: permitThemes });
  registry.serve(listMenus, answerNoTerms, { permit: permitMenus });
  registry.serve(listPatternCategories, answerNoTerms, { permit: permitTerms });
  serveSettings(registry, siteSettings);

  registry.serve(listBlockPatterns, answerPatterns, { permit: permitPatterns });
  registry.serve(listBlockPatternCategories, answerPatternCategories, { permit: permitPatterns });
  registry.serve(listIcons, (call) => answerIcons(call, call.query.collection), { permit: permitIcons });
  registry.serve(listIconsOfCollection, (call) => answerIcons(call, call.params.collection), { permit: permitIcons });
  registry.serve(getIcon, answerIcon, { permit: permitIcons });
  registry.serve(listIconCollections, answerIconCollections, { permit: permitIcons });
  registry.serve(getIconCollection, answerIconCollection, { permit: permitIcons });
}
