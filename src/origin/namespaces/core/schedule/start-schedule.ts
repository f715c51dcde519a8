import { min, and, eq, inArray, lte, type SQL } from 'drizzle-orm';
import { writeContent } from '#origin/platform/content/resources/resource.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { type BackgroundWork, runPeriodically } from '#origin/platform/namespace/namespace-module.ts';
import { toSiteTime } from '#contracts/site-clock.ts';
import { content } from '#origin/platform/store/schema.ts';

/** Maximum time between polls, for rows that other processes schedule. Also the pause after a failure. */
const MAX_PAUSE_MS = 15_000;
/** Prevents a busy loop if the clock stands still. */
const MIN_PAUSE_MS = 250;

/**
 * Publishes scheduled posts and pages when they are due, until it is stopped. Overdue posts are published immediately.
 * Failures are logged and retried.
 */
export function startSchedule(context: Pick<OriginContext, 'store' | 'kinds' | 'log'>): BackgroundWork {
  return runPeriodically(context, {
    async work() {
      // Polls without the write lock, because each locked transaction clears the response cache.
      if ((await msUntilDue(context)) <= 0) await publishDuePosts(context, new Date());
      return Math.min(Math.max(await msUntilDue(context), MIN_PAUSE_MS), MAX_PAUSE_MS);
    },
    problem: 'Publishing scheduled posts failed, retrying',
    failurePauseMs: MAX_PAUSE_MS,
  });
}

async function msUntilDue(context: Pick<OriginContext, 'store' | 'kinds'>): Promise<number> {
  const [next] = await context.store.db
    .select({ due: min(content.dateGmt) })
    .from(content)
    .where(isScheduled(context));
  return next?.due ? Date.parse(`${next.due.replace(' ', 'T')}Z`) - Date.now() : Number.POSITIVE_INFINITY;
}

/** Matches rows with the status `future`. Media items are never scheduled. */
function isScheduled({ kinds }: Pick<OriginContext, 'kinds'>): SQL | undefined {
  const types = [...kinds.values()].flatMap(({ type, isFile }) => (isFile ? [] : [type]));
  return and(eq(content.status, 'future'), inArray(content.type, types));
}

/**
 * Publishes due posts and announces them, in one transaction. Due times are in UTC, so a change of the site's time zone
 * does not move them. With several processes, each row is published by one of them.
 *
 * @returns IDs of the published posts
 */
export async function publishDuePosts(context: Pick<OriginContext, 'store' | 'kinds'>, now: Date): Promise<number[]> {
  return writeContent(context.store.db, async (tx) => {
    const published = await tx
      .update(content)
      .set({ status: 'publish' })
      .where(and(isScheduled(context), lte(content.dateGmt, toSiteTime(now, 'UTC'))))
      .returning({ id: content.id, type: content.type });
    await announce(
      tx,
      published.map(({ id, type }) => ({ what: type, id: String(id), action: 'created' })),
    );
    return published.map(({ id }) => id);
  });
}
