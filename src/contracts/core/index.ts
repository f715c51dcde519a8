export {
  categoryQuery,
  itemQuery,
  MAX_PER_PAGE,
  mediaQuery,
  pagedQuery,
  pageQuery,
  postItemQuery,
  postQuery,
  tagQuery,
  userQuery,
} from './collection-query.ts';
export { context, field, fieldsIn, type Context } from './field.ts';
export { media, mediaDetails, mediaStatus, mediaStatusFilter, mediaType, type Media } from './media.ts';
export {
  openOrClosed,
  page,
  PAGE_META_KEYS,
  post,
  POST_META_KEYS,
  postFormat,
  postStatus,
  postStatusFilter,
  type Page,
  type Post,
  type PostStatus,
} from './post.ts';
export {
  getCategory,
  getMe,
  getMedia,
  getPage,
  getPost,
  getTag,
  getUser,
  listCategories,
  listMedia,
  listPages,
  listPosts,
  listTags,
  listUsers,
} from './routes.ts';
export { getSiteIndex, namespaceIndex, siteIndex, type SiteIndex } from './site-index.ts';
export { category, tag, type Category, type Tag } from './term.ts';
export { role, user, type Role, type User } from './user.ts';
