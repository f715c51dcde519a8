export { MEDIA_ACTIONS, PAGE_ACTIONS, POST_ACTIONS, type ResourceAction } from './actions.ts';
export {
  categoryQuery,
  contentListQuery,
  DEFAULT_PER_PAGE,
  deletionQuery,
  iconQuery,
  itemQuery,
  MAX_PER_PAGE,
  mediaQuery,
  pagedQuery,
  pageQuery,
  postItemQuery,
  postQuery,
  revisionQuery,
  tagQuery,
  userQuery,
} from './collection-query.ts';
export { comment, commentBody, commentStatus, MAX_COMMENT_BYTES, type CommentStatus } from './comment-routes.ts';
export { createComment, deleteComment, getComment, listComments, updateComment } from './comment-routes.ts';
export {
  blockPattern,
  blockPatternCategory,
  getIcon,
  getIconCollection,
  icon,
  iconCollection,
  listBlockPatternCategories,
  listBlockPatterns,
  listIconCollections,
  listIcons,
  listIconsOfCollection,
  type BlockPattern,
} from './editor.ts';
export { listMenus, listPatternCategories } from './editor-taxonomies.ts';
export { context, field, listContextFields, links, type Context } from './field.ts';
export { media, mediaDetails, mediaStatus, mediaStatusFilter, mediaType, type Media } from './media.ts';
export { navigationMenu, type NavigationMenu } from './navigation-menu.ts';
export {
  contentFields,
  contentForms,
  openOrClosed,
  page,
  PAGE_META_KEYS,
  pageBody,
  post,
  POST_META_KEYS,
  postBody,
  postFormat,
  postStatus,
  postStatusFilter,
  type Page,
  type Post,
  type PostStatus,
} from './post.ts';
export {
  contentRoutes,
  createCategory,
  createPost,
  createTag,
  deleteCategory,
  deletePost,
  deletePostRevision,
  deleteTag,
  getCategory,
  getMe,
  getMedia,
  getPage,
  getPost,
  getPostAutosave,
  getPostRevision,
  getStatus,
  getTag,
  getTaxonomy,
  getType,
  getUser,
  listCategories,
  listMedia,
  listPageRevisions,
  listPages,
  listPostAutosaves,
  listPostRevisions,
  listPosts,
  listStatuses,
  listTags,
  listTaxonomies,
  listTypes,
  listUsers,
  navigationMenuRoutes,
  pageRoutes,
  postRoutes,
  savePostDraft,
  updateCategory,
  updatePost,
  updateTag,
  type ContentRoutes,
} from './routes.ts';
export {
  contentAutosave,
  contentRevision,
  navigationMenuAutosave,
  navigationMenuRevision,
  pageAutosave,
  pageRevision,
  postAutosave,
  postRevision,
  type Autosave,
  type Revision,
} from './revision.ts';
export { listSearchResults, SEARCH_SUBTYPES, searchResult } from './search.ts';
export { getSiteIndex, namespaceIndex, siteIndex, type SiteIndex } from './site-index.ts';
export { settingsRoutes, type SettingsRoutes } from './site-resources.ts';
export { getSettings, settings, status, taxonomy, type, updateSettings, type SiteSettings } from './site-resources.ts';
export { category, categoryBody, tag, tagBody, type Category, type Tag } from './term.ts';
export { getTheme, listThemes, theme } from './theme.ts';
export { MAX_NAME_LENGTH, MAX_TEXT_LENGTH, writeBody, findResourceField } from './write-body.ts';
export { applicationPassword, applicationPasswordBody } from './user-routes.ts';
export {
  createApplicationPassword,
  createUser,
  deleteApplicationPassword,
  deleteApplicationPasswords,
  deleteMe,
  deleteUser,
  getApplicationPassword,
  introspectApplicationPassword,
  listApplicationPasswords,
  updateApplicationPassword,
  updateMe,
  updateUser,
} from './user-routes.ts';
export {
  homePage,
  LOCALES,
  MIN_PASSWORD_LENGTH,
  role,
  SITE_LOCALE,
  user,
  userBody,
  type Role,
  type User,
} from './user.ts';
