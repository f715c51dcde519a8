import { and, desc, eq, notInArray } from 'drizzle-orm';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { visibleTo, type Viewer } from '#origin/platform/content/rights-condition.ts';

/** All published sticky posts that somebody may see, but some; the newest first. */
export function findSticky(db: Database, viewer: Viewer, except: readonly number[]): Promise<ContentRow[]> {
  return db
    .select()
    .from(content)
    .where(
      and(
        eq(content.type, 'post'),
        eq(content.status, 'publish'),
        eq(content.sticky, true),
        visibleTo(viewer),
        except.length > 0 ? notInArray(content.id, [...except]) : undefined,
      ),
    )
    .orderBy(desc(content.date), desc(content.id));
}
