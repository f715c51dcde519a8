import { listCategories, listTags } from '#contracts/core/routes.ts';
import type { Right } from './rights.ts';

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
