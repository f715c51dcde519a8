import { eq } from 'drizzle-orm';
import type { TermRow } from '#origin/platform/content/load-ancestors.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { term } from '#origin/platform/store/schema.ts';
import type { TermView } from './present-term.ts';

/** Key of the category tree in the request cache. */
export const CATEGORIES_KEY = 'categories';

/** Loads the category tree once per request, if any row has a parent. Returns a lookup of ancestor slugs. */
export async function loadAncestorSlugs(
  call: Pick<AnyCall, 'context' | 'requestMemo'>,
  rows: readonly TermRow[],
): Promise<TermView['slugsAbove']> {
  if (rows.every(({ parentId }) => parentId === 0)) return () => [];
  const all = await call.requestMemo.once(CATEGORIES_KEY, () =>
    call.context.store.db
      .select({ id: term.id, slug: term.slug, parentId: term.parentId })
      .from(term)
      .where(eq(term.taxonomy, 'category')),
  );
  const byId = new Map(all.map((row) => [row.id, row]));
  return ({ parentId }) => {
    const slugs: string[] = [];
    const seen = new Set<number>();
    for (let above = byId.get(parentId); above && !seen.has(above.id); above = byId.get(above.parentId)) {
      seen.add(above.id);
      slugs.unshift(above.slug);
    }
    return slugs;
  };
}
