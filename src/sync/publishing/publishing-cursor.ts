import { z } from 'zod';
import type { StoredSource } from '../../snapshot/index.ts';

const stored = z
  .string()
  .transform((text, ctx): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      ctx.addIssue('is not JSON');
      return z.NEVER;
    }
  })
  .pipe(z.object({ readAt: z.iso.datetime(), fullReadAt: z.iso.datetime() }));

export interface PublishingCursor {
  fullReadAt: string;
  /** Changes before this moment of the server's clock were seen. */
  changedAfter: Date;
  fullReadIsDue(serverTime: Date): boolean;
}

/** Rows carry the time when their writing began, to the second, and servers behind one name differ a little. */
const OVERLAP_MS = 10 * 60_000;
/** What changes without a date of its own (a shortcode's output, a restored backup) is seen this much later. */
const FULL_READ_MS = 7 * 24 * 3_600_000;

/** Where the last run has left off; undefined when there was none, or it can't be read. */
export function readCursor(source: StoredSource | undefined): PublishingCursor | undefined {
  const reading = stored.safeParse(source?.cursor);
  if (!reading.success) return undefined;
  const { readAt, fullReadAt } = reading.data;
  return {
    fullReadAt,
    changedAfter: new Date(Date.parse(readAt) - OVERLAP_MS),
    fullReadIsDue: (serverTime) => Math.abs(serverTime.getTime() - Date.parse(fullReadAt)) >= FULL_READ_MS,
  };
}

/** @param serverTime When the run began to read, by the server's clock. */
export function writeCursor(serverTime: Date, isFull: boolean, before: PublishingCursor | undefined): string {
  const readAt = serverTime.toISOString();
  return JSON.stringify({ readAt, fullReadAt: isFull ? readAt : (before?.fullReadAt ?? readAt) });
}
