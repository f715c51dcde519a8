import type { Role } from '#contracts/core/user-routes.ts';

/** Rights of every site by the lowest role that has them. Higher roles inherit them. */
export const SITE_RIGHTS = {
  subscriber: ['read'],
  contributor: ['edit_posts', 'delete_posts'],
  author: ['publish_posts', 'edit_published_posts', 'delete_published_posts', 'upload_files'],
  editor: [
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
  ],
  administrator: [
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
  ],
} as const satisfies Record<Role, readonly string[]>;

/**
 * Rights of namespaces, added by declaration merging:
 * `declare module '#origin/platform/registry/rights.ts' { interface NamespaceRights { edit_recipes: true } }`
 */
// oxlint-disable-next-line typescript/no-empty-object-type -- Filled by the namespaces.
export interface NamespaceRights {}

export type Right = (typeof SITE_RIGHTS)[Role][number] | keyof NamespaceRights;

/** Rights by the lowest role that has them. Higher roles inherit them. */
export type RightsByRole = Partial<Record<Role, readonly Right[]>>;
