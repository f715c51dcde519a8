import type { z } from 'zod';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';

/** What revisions need of the kind whose rows they are states of. */
export interface RevisionKind extends ContentKind {
  /** Revisions and autosaves have the same fields but one, which revisions leave empty. */
  routes: { getAutosave: { response: z.ZodObject } };
}
