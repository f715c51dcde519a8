import { min, and, eq, inArray, lte, type SQL } from 'drizzle-orm';
import { writeContent } from '#origin/platform/content/write-content.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { announce } from '#origin/platform/events/index.ts';
import type { BackgroundWork } from '#origin/platform/namespace/namespace-module.ts';
import { runPeriodically } from '#origin/platform/namespace/run-periodically.ts';
import { toSiteTime } from '#origin/platform/site/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { notifyListeners } from '#origin/platform/registry/change-listener.ts';

/** How long a row that another process has scheduled may go unnoticed; also the pause after a failure. */
const LONGEST_PAUSE_MS = 15_000;
/** Against a clock that stands still. */
const SHORTEST_PAUSE_MS = 250;

/**
 * Publishes posts and pages when they are due, for as long as the origin runs: what became due before at once, the
 * next one to the second. Failures are logged and tried again.
 */
export function startSchedule(
  context: Pick<OriginContext, 'store' | 'kinds' | 'followers' | 'publicUrl' | 'log'>,
): BackgroundWork {
  return runPeriodically(context, {
    work: () => publishAndLookAhead(context),
    problem: 'Scheduled posts could not be published, trying again',
    failurePauseMs: LONGEST_PAUSE_MS,
  });
}

/** @returns how long to wait until the next is due, or until it is worth looking again */
async function publishAndLookAhead(
  context: Pick<OriginContext, 'store' | 'kinds' | 'followers' | 'publicUrl'>,
): Promise<number> {
  // Asked first, as publishing takes the lock of all who write: answers that are kept would be forgotten each time.
  if ((await msUntilDue(context)) <= 0) await publishDuePosts(context, new Date());
  return Math.min(Math.max(await msUntilDue(context), SHORTEST_PAUSE_MS), LONGEST_PAUSE_MS);
}

async function msUntilDue(context: Pick<OriginContext, 'store' | 'kinds'>): Promise<number> {
  const [next] = await context.store.db
    .select({ due: min(content.dateGmt) })
    .from(content)
    .where(isScheduled(context));
  return next?.due ? Date.parse(`${next.due.replace(' ', 'T')}Z`) - Date.now() : Number.POSITIVE_INFINITY;
}

/** Rows with the status `future`, of the kinds that are ever published by the clock: not files. */
function isScheduled({ kinds }: Pick<OriginContext, 'kinds'>): SQL | undefined {
  const types = [...kinds.values()].flatMap(({ type, isFile }) => (isFile ? [] : [type]));
  return and(eq(content.status, 'future'), inArray(content.type, types));
}

/**
 * Publishes what is due, and announces it, in one transaction. Their moments are kept in UTC, so a change of the
 * site's clock moves none of them. Of several processes that do this at once, one publishes each row: whoever comes
 * second finds it published.
 *
 * @returns ids of what was published
 */
export async function publishDuePosts(
  context: Pick<OriginContext, 'store' | 'kinds' | 'followers' | 'publicUrl'>,
  now: Date,
): Promise<number[]> {
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
    const ids = published.map(({ id }) => id);
    if (ids.length > 0) await notifyListeners(tx, context, { content: ids });
    return ids;
  });
}
