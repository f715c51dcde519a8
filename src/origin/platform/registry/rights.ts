import type { Role } from '#contracts/core/user-routes.ts';

const SUBSCRIBER = ['read'] as const;
const CONTRIBUTOR = [...SUBSCRIBER, 'edit_posts', 'delete_posts'] as const;
const AUTHOR = [
  ...CONTRIBUTOR,
  'publish_posts',
  'edit_published_posts',
  'delete_published_posts',
  'upload_files',
] as const;
const EDITOR = [
  ...AUTHOR,
  'edit_others_posts',
  'delete_others_posts',
  'read_private_posts',
  'edit_private_posts',
  'delete_private_posts',
  'edit_pages',
  'publish_pages',
  'edit_others_pages',
  'edit_published_pages',
  'delete_pages',
  'delete_others_pages',
  'delete_published_pages',
  'read_private_pages',
  'edit_private_pages',
  'delete_private_pages',
  'manage_categories',
  'moderate_comments',
  'unfiltered_html',
] as const;
const ADMINISTRATOR = [
  ...EDITOR,
  'manage_options',
  'export',
  'import',
  'list_users',
  'create_users',
  'edit_users',
  'delete_users',
  'promote_users',
  'remove_users',
  'switch_themes',
  'edit_theme_options',
] as const;

/**
 * Rights of namespaces, added by declaration merging:
 * `declare module '#origin/platform/registry/rights.ts' { interface NamespaceRights { edit_recipes: true } }`
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- Filled by the namespaces.
export interface NamespaceRights {}

export type Right = (typeof ADMINISTRATOR)[number] | keyof NamespaceRights;

/** Rights by the lowest role that has them. Higher roles inherit them. */
export type RightsByRole = Partial<Record<Role, readonly Right[]>>;

const ROLE_RIGHTS: Record<Role, readonly Right[]> = {
  subscriber: SUBSCRIBER,
  contributor: CONTRIBUTOR,
  author: AUTHOR,
  editor: EDITOR,
  administrator: ADMINISTRATOR,
};

/** Returns the built-in rights of a role, without those of namespaces. */
export function getRoleRights(name: Role): readonly Right[] {
  return ROLE_RIGHTS[name];
}
