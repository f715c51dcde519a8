import type { z } from 'zod';
import {
  navigationMenuAutosave,
  PAGE_META_KEYS,
  pageAutosave,
  POST_META_KEYS,
  postAutosave,
} from '#contracts/core/index.ts';
import { CONTENT_KINDS, type ContentKind } from '#origin/platform/registry/content-kind.ts';

/** What revisions of posts, pages and navigation menus differ in. */
export interface RevisionKind {
  /** What they are states of. */
  of: ContentKind;
  /** Revisions and autosaves have the same fields but one, which revisions leave empty. */
  resource: z.ZodObject;
  metaKeys: readonly string[];
}

export const POST_REVISION: RevisionKind = {
  of: CONTENT_KINDS.post,
  resource: postAutosave,
  metaKeys: POST_META_KEYS,
};
export const PAGE_REVISION: RevisionKind = {
  of: CONTENT_KINDS.page,
  resource: pageAutosave,
  metaKeys: PAGE_META_KEYS,
};
export const NAVIGATION_MENU_REVISION: RevisionKind = {
  of: CONTENT_KINDS.wp_navigation,
  resource: navigationMenuAutosave,
  metaKeys: [],
};
