import type { Right } from './permissions.ts';
import type { content } from '#origin/platform/store/schema.ts';

export type ContentRow = typeof content.$inferSelect;
export type ContentType = 'post' | 'page' | 'attachment' | 'wp_navigation';

/** What posts, pages, media and navigation menus differ in. */
export interface ContentKind {
  type: ContentType;
  /** Path of the collection. */
  base: `core/v2/${'posts' | 'pages' | 'media' | 'navigation'}`;
  /** Name of the query parameter in an address that knows no slug. */
  idParameter: 'p' | 'page_id' | 'attachment_id';
  /** Templates that the theme offers for it. */
  templates: readonly string[];
  /** What comments and pings of new rows are set to. */
  discussion: 'open' | 'closed';
  /** Whether visitors can open it, with an author and comments. What they can not is a part of other pages. */
  hasPage: boolean;
  rights: Readonly<Record<ContentAction, Right>>;
}

export type ContentAction =
  | 'edit'
  | 'editOthers'
  | 'editPublished'
  | 'editPrivate'
  | 'delete'
  | 'deleteOthers'
  | 'deletePublished'
  | 'deletePrivate'
  | 'readPrivate'
  | 'publish';

const POST_RIGHTS = {
  edit: 'edit_posts',
  editOthers: 'edit_others_posts',
  editPublished: 'edit_published_posts',
  editPrivate: 'edit_private_posts',
  delete: 'delete_posts',
  deleteOthers: 'delete_others_posts',
  deletePublished: 'delete_published_posts',
  deletePrivate: 'delete_private_posts',
  readPrivate: 'read_private_posts',
  publish: 'publish_posts',
} as const satisfies ContentKind['rights'];

const PAGE_RIGHTS = {
  edit: 'edit_pages',
  editOthers: 'edit_others_pages',
  editPublished: 'edit_published_pages',
  editPrivate: 'edit_private_pages',
  delete: 'delete_pages',
  deleteOthers: 'delete_others_pages',
  deletePublished: 'delete_published_pages',
  deletePrivate: 'delete_private_pages',
  readPrivate: 'read_private_pages',
  publish: 'publish_pages',
} as const satisfies ContentKind['rights'];

/** Menus are part of how the site looks: who may change that may do all with them. */
const MENU_RIGHTS = {
  edit: 'edit_theme_options',
  editOthers: 'edit_theme_options',
  editPublished: 'edit_theme_options',
  editPrivate: 'edit_theme_options',
  delete: 'edit_theme_options',
  deleteOthers: 'edit_theme_options',
  deletePublished: 'edit_theme_options',
  deletePrivate: 'edit_theme_options',
  readPrivate: 'edit_theme_options',
  publish: 'edit_theme_options',
} as const satisfies ContentKind['rights'];

export const CONTENT_KINDS: Readonly<Record<ContentType, ContentKind>> = {
  post: {
    type: 'post',
    base: 'core/v2/posts',
    idParameter: 'p',
    templates: [],
    discussion: 'open',
    hasPage: true,
    rights: POST_RIGHTS,
  },
  page: {
    type: 'page',
    base: 'core/v2/pages',
    idParameter: 'page_id',
    templates: ['page-no-title'],
    discussion: 'closed',
    hasPage: true,
    rights: PAGE_RIGHTS,
  },
  attachment: {
    type: 'attachment',
    base: 'core/v2/media',
    idParameter: 'attachment_id',
    templates: [],
    discussion: 'open',
    hasPage: true,
    rights: POST_RIGHTS,
  },
  wp_navigation: {
    type: 'wp_navigation',
    base: 'core/v2/navigation',
    idParameter: 'p',
    templates: [],
    discussion: 'closed',
    hasPage: false,
    rights: MENU_RIGHTS,
  },
};

/** The kind of a row; a revision has the rights of a post. */
export function kindOf(row: Pick<ContentRow, 'type'>): ContentKind {
  return CONTENT_KINDS[row.type === 'revision' ? 'post' : row.type];
}
