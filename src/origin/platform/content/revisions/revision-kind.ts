import type { z } from 'zod';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';

/** Content kind with revisions. */
export interface RevisionKind extends ContentKind {
  /** Autosaves have all fields of revisions and a preview link. */
  routes: { getAutosave: { response: z.ZodObject } };
}
