import { listCategories, listTags } from '#contracts/core/index.ts';
import type { Right } from './rights.ts';

/** What kinds of terms differ in. */
export interface TermKind {
  /** As rows and the interface name it. */
  taxonomy: string;
  /** Name that is shown. */
  name: string;
  /** Path of the collection. */
  base: string;
  /** Field of content that holds ids of these terms, and parameter that filters by them. */
  parameter: string;
  /** Whether terms lie below each other. */
  isHierarchical: boolean;
  /** Whether what is written without any gets the default category of the site. */
  hasDefault: boolean;
  /** Who may add one; changing and deleting is for who manages categories. */
  mayAdd: Right;
  /** Begins the address of a term's page, and class names. */
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
