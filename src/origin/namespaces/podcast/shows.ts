import { eq } from 'drizzle-orm';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { podcastShow } from './tables.ts';

export type ShowRow = typeof podcastShow.$inferSelect;

/** The show of an id; undefined when there is none. */
export async function loadShow({ context }: Pick<AnyCall, 'context'>, id: number): Promise<ShowRow | undefined> {
  const [show] = await context.store.db.select().from(podcastShow).where(eq(podcastShow.id, id));
  return show;
}

/** The show of a slug; undefined when there is none. */
export async function findShow({ context }: Pick<AnyCall, 'context'>, slug: string): Promise<ShowRow | undefined> {
  const [show] = await context.store.db.select().from(podcastShow).where(eq(podcastShow.slug, slug));
  return show;
}
