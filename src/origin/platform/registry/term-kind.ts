import type { Right } from './permissions.ts';
import type { TAXONOMIES } from '#origin/platform/store/schema.ts';

export type Taxonomy = (typeof TAXONOMIES)[number];

/** What categories and tags differ in. */
export interface TermKind {
  taxonomy: Taxonomy;
  /** Path of the collection. */
  base: 'core/v2/categories' | 'core/v2/tags';
  /** Parameter that filters posts by these terms. */
  parameter: 'categories' | 'tags';
  /** Who may add one; changing and deleting is for who manages categories. */
  mayAdd: Right;
  /** Begins the address of a term's page. */
  slugBase: 'category' | 'tag';
}

export const CATEGORY: TermKind = {
  taxonomy: 'category',
  base: 'core/v2/categories',
  parameter: 'categories',
  mayAdd: 'manage_categories',
  slugBase: 'category',
};
export const TAG: TermKind = {
  taxonomy: 'post_tag',
  base: 'core/v2/tags',
  parameter: 'tags',
  mayAdd: 'edit_posts',
  slugBase: 'tag',
};
