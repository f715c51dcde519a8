import {
  PAGE_META_KEYS,
  POST_META_KEYS,
  listMedia,
  listPages,
  listPosts,
  navigationMenuRoutes,
} from '#contracts/core/index.ts';
import type { Database, Transaction } from '#origin/platform/store/index.ts';
import type { content } from '#origin/platform/store/schema.ts';
import type { Right } from './rights.ts';
import { CATEGORY, TAG, type TermKind } from './term-kind.ts';

export type ContentRow = typeof content.$inferSelect;
/** Name of a kind of content; namespaces register further ones. */
export type ContentType = 'post' | 'page' | 'attachment' | 'wp_navigation' | (string & Record<never, never>);

/** What kinds of content differ in. */
export interface ContentKind {
  /** As rows and the interface name it. */
  type: string;
  /** Path of the collection. */
  base: string;
  /** Name and icon that editors show. */
  name: string;
  icon: string;
  /** Name of the query parameter in an address that knows no slug. */
  idParameter: string;
  /** Templates that the theme offers for it. */
  templates: readonly string[];
  /** What comments and pings of new rows are set to. */
  discussion: 'open' | 'closed';
  /** Whether visitors can open it, with an author and comments. What they can not is a part of other pages. */
  hasPage: boolean;
  /** Whether rows lie below each other, and their addresses too. */
  isHierarchical: boolean;
  /** Whether its rows are files: they inherit their status from what they are attached to, and have no revisions. */
  isFile: boolean;
  /** Whether rows can stay on top of lists. */
  canStick: boolean;
  hasFormats: boolean;
  /** Folder of uploads that belong to its rows. @default that of their month */
  uploadFolder?: string;
  /** Path of the page of the site that lists its rows, such as `podcast`. @default none */
  archive?: string;
  /** Texts that say in short what rows are about, by their ids, where those are kept beside the rows. */
  describe?(db: Pick<Database, 'select'>, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Keys of `meta` that are shown and may be written. */
  metaKeys: readonly string[];
  terms: readonly TermKind[];
  rights: Readonly<Record<ContentAction, Right>>;
  /** Keeps fields of its own, as they were sent, in the transaction that writes the row. */
  save?(tx: Transaction, row: ContentRow, sent: Readonly<Record<string, unknown>>): Promise<void>;
  /** Takes them away with a row that is deleted for good. */
  remove?(tx: Transaction, row: ContentRow): Promise<void>;
}

/** How `meta` of a media item says that it is the icon of the site, which has sizes of its own. */
export const SITE_ICON = { key: '_attachment_context', value: 'site-icon' } as const;

/** The kinds of a site by their type. */
export type ContentKinds = ReadonlyMap<string, ContentKind>;

export const CONTENT_ACTIONS = [
  'edit',
  'editOthers',
  'editPublished',
  'editPrivate',
  'delete',
  'deleteOthers',
  'deletePublished',
  'deletePrivate',
  'readPrivate',
  'publish',
] as const;
export type ContentAction = (typeof CONTENT_ACTIONS)[number];

export const POST_RIGHTS = {
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

/** The rights of a kind that one right allows everything with. */
export function allBy(right: Right): ContentKind['rights'] {
  return {
    edit: right,
    editOthers: right,
    editPublished: right,
    editPrivate: right,
    delete: right,
    deleteOthers: right,
    deletePublished: right,
    deletePrivate: right,
    readPrivate: right,
    publish: right,
  };
}

/** What kinds are unless they say otherwise. */
export const USUAL_KIND = {
  templates: [],
  discussion: 'open',
  hasPage: true,
  isHierarchical: false,
  isFile: false,
  canStick: false,
  hasFormats: false,
  metaKeys: [],
  terms: [],
} as const;

/** The kinds that every site has. */
export const CONTENT_KINDS = {
  post: {
    ...USUAL_KIND,
    type: 'post',
    base: listPosts.path,
    name: 'Posts',
    icon: 'dashicons-admin-post',
    idParameter: 'p',
    canStick: true,
    hasFormats: true,
    metaKeys: POST_META_KEYS,
    terms: [CATEGORY, TAG],
    rights: POST_RIGHTS,
  },
  page: {
    ...USUAL_KIND,
    type: 'page',
    base: listPages.path,
    name: 'Pages',
    icon: 'dashicons-admin-page',
    idParameter: 'page_id',
    templates: ['page-no-title'],
    discussion: 'closed',
    isHierarchical: true,
    metaKeys: PAGE_META_KEYS,
    rights: PAGE_RIGHTS,
  },
  attachment: {
    ...USUAL_KIND,
    type: 'attachment',
    base: listMedia.path,
    name: 'Media',
    icon: 'dashicons-admin-media',
    idParameter: 'attachment_id',
    isFile: true,
    rights: POST_RIGHTS,
  },
  // Menus are part of how the site looks: who may change that may do all with them.
  wp_navigation: {
    ...USUAL_KIND,
    type: 'wp_navigation',
    base: navigationMenuRoutes.list.path,
    name: 'Navigation Menus',
    icon: 'dashicons-menu',
    idParameter: 'p',
    discussion: 'closed',
    hasPage: false,
    rights: allBy('edit_theme_options'),
  },
} as const satisfies Record<string, ContentKind>;

/** The kind of a row. A revision goes as a post; what no namespace registers any more is no page. */
export function kindOf({ type }: Pick<ContentRow, 'type'>, kinds: ContentKinds): ContentKind {
  const kind = kinds.get(type === 'revision' ? 'post' : type);
  return kind ?? { ...CONTENT_KINDS.post, type, hasPage: false };
}
