import { PAGE_META_KEYS, POST_META_KEYS } from '#contracts/core/post.ts';
import {
  listMedia,
  listPages,
  listPosts,
  navigationMenuRoutes,
  listCategories,
  listTags,
} from '#contracts/core/routes.ts';
import type { Database } from '#origin/platform/store/store.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import type { content } from '#origin/platform/store/schema.ts';
import { type Right, SITE_RIGHTS, type RightsByRole } from './rights.ts';
import { role, type Role } from '#contracts/core/user-routes.ts';

/** Properties in which taxonomies differ. */
export interface TermKind {
  /** Name in rows and in the interface. */
  taxonomy: string;
  /** Display name. */
  name: string;
  /** Path of the collection. */
  base: string;
  /** Field of content with the IDs of its terms, and query parameter that filters by them. */
  parameter: string;
  /** True if terms have parents. */
  isHierarchical: boolean;
  /** True if content without such terms gets the default category of the site. */
  hasDefault: boolean;
  /** Right to add a term. Changing and deleting requires `manage_categories`. */
  mayAdd: Right;
  /** First segment of the addresses of term pages, and prefix of class names. */
  slugBase: string;
}

export const CATEGORY: TermKind = {
  taxonomy: 'category',
  name: 'Categories',
  base: listCategories.path,
  parameter: 'categories',
  isHierarchical: true,
  hasDefault: true,
  mayAdd: 'manage_categories',
  slugBase: 'category',
};
export const TAG: TermKind = {
  taxonomy: 'post_tag',
  name: 'Tags',
  base: listTags.path,
  parameter: 'tags',
  isHierarchical: false,
  hasDefault: false,
  mayAdd: 'edit_posts',
  slugBase: 'tag',
};

export type ContentRow = typeof content.$inferSelect;
/** Name of a content kind. Namespaces register further ones. */
export type ContentType = 'post' | 'page' | 'attachment' | 'wp_navigation' | (string & Record<never, never>);

/** Properties in which content kinds differ. */
export interface ContentKind {
  /** Type in rows and in the interface. */
  type: string;
  /** Path of the collection. */
  base: string;
  /** Name and icon for editors. */
  name: string;
  icon: string;
  /** Query parameter with the ID, in addresses of rows without a slug. */
  idParameter: string;
  /** Templates of the theme for this kind. */
  templates: readonly string[];
  /** Comment and ping status of new rows. */
  discussion: 'open' | 'closed';
  /** True if rows have a public page with an author and comments. Others are parts of other pages. */
  hasPage: boolean;
  /** True if rows have parents, which are part of their addresses. */
  isHierarchical: boolean;
  /** True if rows are files: they inherit the status of the row they are attached to, and have no revisions. */
  isFile: boolean;
  /** True if rows can be pinned to the top of lists. */
  canStick: boolean;
  hasFormats: boolean;
  /** Folder of uploads for its rows. @default folder of the month */
  uploadFolder?: string;
  /** Path of the site's list page, such as `podcast`. @default none */
  archive?: string;
  /** Loads short descriptions by row ID, if they are stored outside the rows. */
  describe?(db: Pick<Database, 'select'>, ids: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Keys of `meta` that clients write, in `meta` or as separate fields. */
  metaKeys: readonly string[];
  terms: readonly TermKind[];
  rights: Readonly<Record<ContentAction, Right>>;
  /** Saves additional fields, as sent by the client, in the transaction that writes the row. */
  save?(tx: Transaction, row: ContentRow, fields: Readonly<Record<string, unknown>>): Promise<void>;
  /** Deletes them together with the row. */
  remove?(tx: Transaction, row: ContentRow): Promise<void>;
}

/** Entry of `meta` that marks a media item as the site icon, which has its own sizes. */
export const SITE_ICON = { key: '_attachment_context', value: 'site-icon' } as const;

/** Content kinds of a site by type. */
export type ContentKinds = ReadonlyMap<string, ContentKind>;

function rightsTo<T extends 'posts' | 'pages'>(rows: T) {
  return {
    edit: `edit_${rows}`,
    editOthers: `edit_others_${rows}`,
    editPublished: `edit_published_${rows}`,
    editPrivate: `edit_private_${rows}`,
    delete: `delete_${rows}`,
    deleteOthers: `delete_others_${rows}`,
    deletePublished: `delete_published_${rows}`,
    deletePrivate: `delete_private_${rows}`,
    readPrivate: `read_private_${rows}`,
    publish: `publish_${rows}`,
  } as const;
}

export const POST_RIGHTS = rightsTo('posts');

export type ContentAction = keyof typeof POST_RIGHTS;
export const CONTENT_ACTIONS = Object.keys(POST_RIGHTS) as ContentAction[];

/** Returns the rights of a kind where a single right allows everything. */
export function uniformRights(right: Right): ContentKind['rights'] {
  return Object.fromEntries(CONTENT_ACTIONS.map((action) => [action, right])) as ContentKind['rights'];
}

export const KIND_DEFAULTS = {
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

/** Content kinds of every site. */
export const CONTENT_KINDS = {
  post: {
    ...KIND_DEFAULTS,
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
    ...KIND_DEFAULTS,
    type: 'page',
    base: listPages.path,
    name: 'Pages',
    icon: 'dashicons-admin-page',
    idParameter: 'page_id',
    templates: ['page-no-title'],
    discussion: 'closed',
    isHierarchical: true,
    metaKeys: PAGE_META_KEYS,
    rights: rightsTo('pages'),
  },
  attachment: {
    ...KIND_DEFAULTS,
    type: 'attachment',
    base: listMedia.path,
    name: 'Media',
    icon: 'dashicons-admin-media',
    idParameter: 'attachment_id',
    isFile: true,
    rights: POST_RIGHTS,
  },
  // Menus belong to the design of the site and need its right.
  wp_navigation: {
    ...KIND_DEFAULTS,
    type: 'wp_navigation',
    base: navigationMenuRoutes.list.path,
    name: 'Navigation Menus',
    icon: 'dashicons-menu',
    idParameter: 'p',
    discussion: 'closed',
    hasPage: false,
    rights: uniformRights('edit_theme_options'),
  },
} as const satisfies Record<string, ContentKind>;

/** Returns the kind of a row. Revisions are treated as posts; types that are no longer registered have no page. */
export function getKind({ type }: Pick<ContentRow, 'type'>, kinds: ContentKinds): ContentKind {
  const kind = kinds.get(type === 'revision' ? 'post' : type);
  return kind ?? { ...CONTENT_KINDS.post, type, hasPage: false };
}

/** Registrations of a namespace that affect the platform and other namespaces. */
export interface Registration {
  contentKinds?: readonly ContentKind[];
  rights?: RightsByRole;
}

/** Merged registrations of a site. */
export interface SiteRegistry {
  kinds: ContentKinds;
  permissions: Readonly<Record<Role, Permissions>>;
}

/** Rights of the users of a role. */
export interface Permissions {
  rights: ReadonlySet<Right>;
  /** Allowed actions by content type. */
  content: ReadonlyMap<string, ReadonlySet<ContentAction>>;
}

/** Merges the content kinds and role permissions of every site with those of namespaces. */
export function registerAll(registrations: readonly Registration[]): SiteRegistry {
  const added = registrations.flatMap(({ contentKinds = [] }) => contentKinds);
  const kinds = new Map([...Object.values(CONTENT_KINDS), ...added].map((kind) => [kind.type, kind]));
  const allRights: RightsByRole[] = [SITE_RIGHTS, ...registrations.map(({ rights = {} }) => rights)];
  const permissionsOf = (name: Role): Permissions => {
    // Roles are sorted from highest to lowest.
    const included = role.options.slice(role.options.indexOf(name)).toReversed();
    const rights = new Set(allRights.flatMap((byRole) => included.flatMap((below) => byRole[below] ?? [])));
    const actions = [...kinds.values()].map((kind) => [kind.type, actionsOf(kind, rights)] as const);
    // Revisions of all types have the rights of posts.
    return { rights, content: new Map([...actions, ['revision', actionsOf(CONTENT_KINDS.post, rights)]]) };
  };
  return {
    kinds,
    permissions: {
      subscriber: permissionsOf('subscriber'),
      contributor: permissionsOf('contributor'),
      author: permissionsOf('author'),
      editor: permissionsOf('editor'),
      administrator: permissionsOf('administrator'),
    },
  };
}

function actionsOf({ rights: needed }: ContentKind, rights: ReadonlySet<Right>): ReadonlySet<ContentAction> {
  return new Set(CONTENT_ACTIONS.filter((action) => rights.has(needed[action])));
}

/** Highest user level of each role. Stock servers list levels among the capabilities, and clients read them. */
const TOP_LEVELS: Record<Role, number> = { subscriber: 0, contributor: 1, author: 2, editor: 7, administrator: 10 };

/** Lists the capabilities of a role as the interface does: rights, levels and the role itself. */
export function listCapabilities(name: Role, { rights }: Permissions): string[] {
  const levels = Array.from({ length: TOP_LEVELS[name] + 1 }, (_, level) => `level_${level}`).toReversed();
  return [...rights, ...levels, name];
}
