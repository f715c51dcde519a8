import { z } from 'zod';
import type { StoredSource } from '#snapshot/index.ts';

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
  .pipe(
    z.object({
      readAt: z.iso.datetime(),
      /** By the server's clock, and by ours: either of them may stand still or be set. */
      fullReadAt: z.iso.datetime(),
      fullReadHere: z.iso.datetime().optional(),
    }),
  );

/** One moment by the server's clock and by ours. */
export interface Moment {
  server: Date;
  here: Date;
}

export interface PublishingCursor {
  fullReadAt: string;
  fullReadHere: string | undefined;
  /** Changes before this moment of the server's clock were seen. */
  changedAfter: Date;
  /** What changes without a date of its own (a list of the latest posts, a restored backup) is only seen by a full read. */
  fullReadIsDue(now: Moment, everyHours: number): boolean;
}

/** Rows carry the time when their writing began, to the second, and servers behind one name differ a little. */
const OVERLAP_MS = 10 * 60_000;
const HOUR_MS = 3_600_000;

function isLong(now: Date, then: string, hours: number): boolean {
  return Math.abs(now.getTime() - Date.parse(then)) >= hours * HOUR_MS;
}

/** Where the last run has left off; undefined when there was none, or it can't be read. */
export function readCursor(source: StoredSource | undefined): PublishingCursor | undefined {
  const reading = stored.safeParse(source?.cursor);
  if (!reading.success) return undefined;
  const { readAt, fullReadAt, fullReadHere } = reading.data;
  return {
    fullReadAt,
    fullReadHere,
    changedAfter: new Date(Date.parse(readAt) - OVERLAP_MS),
    fullReadIsDue: ({ server, here }, hours) =>
      isLong(server, fullReadAt, hours) || (fullReadHere !== undefined && isLong(here, fullReadHere, hours)),
  };
}

/** @param now When the run began to read. */
export function writeCursor(now: Moment, isFull: boolean, before: PublishingCursor | undefined): string {
  const readAt = now.server.toISOString();
  const here = now.here.toISOString();
  const last = isFull || !before ? { fullReadAt: readAt, fullReadHere: here } : before;
  return JSON.stringify({ readAt, fullReadAt: last.fullReadAt, fullReadHere: last.fullReadHere ?? here });
}
