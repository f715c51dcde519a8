import { z } from 'zod';

/** Statuses of content that isn't published yet. */
export const DRAFT_STATUSES = ['draft', 'pending', 'future'] as const;

/** Status of unpublished content. Set only in the snapshot of a development server that shows drafts. */
export const draftState = z.object({
  status: z.enum(DRAFT_STATUSES),
  /** Date of the publication if it is scheduled, otherwise of the last change. */
  date: z.coerce.date(),
});

export type DraftRecord = Omit<z.output<typeof draftState>, 'date'> & { /** ISO, UTC. */ date: string };
