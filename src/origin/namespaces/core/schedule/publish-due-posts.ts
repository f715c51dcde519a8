import { and, eq, inArray, lte, type SQL } from 'drizzle-orm';
import { announce } from '#origin/platform/events/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { retryTransaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { toSiteTime } from '#origin/platform/site/index.ts';

/** Rows with the status `future`, of the kinds that are ever published by the clock: not files. */
export function isScheduled({ kinds }: Pick<OriginContext, 'kinds'>): SQL | undefined {
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
export async function publishDuePosts(context: Pick<OriginContext, 'store' | 'kinds'>, now: Date): Promise<number[]> {
  return retryTransaction(context.store.db, async (tx) => {
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
