import type { Role } from '#contracts/core/index.ts';

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
  'view_site_health_checks',
] as const;

/** Something a caller may be allowed to do. */
export type Right = (typeof ADMINISTRATOR)[number];

const RIGHTS: Record<Role, readonly Right[]> = {
  subscriber: SUBSCRIBER,
  contributor: CONTRIBUTOR,
  author: AUTHOR,
  editor: EDITOR,
  administrator: ADMINISTRATOR,
};

/** Stock servers also count roles in levels, from 0 to this one, and clients read them among the rights. */
const TOP_LEVELS: Record<Role, number> = { subscriber: 0, contributor: 1, author: 2, editor: 7, administrator: 10 };

/** Everything a user of a role has, as the interface lists it: rights, levels and the role itself. */
export function listCapabilities(role: Role): string[] {
  const levels = Array.from({ length: TOP_LEVELS[role] + 1 }, (_, level) => `level_${level}`).toReversed();
  return [...RIGHTS[role], ...levels, role];
}

/** Everything a role may do. */
export function rightsOf(role: Role): readonly Right[] {
  return RIGHTS[role];
}
