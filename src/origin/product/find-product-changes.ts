import { and, asc, count, eq, sql, type SQL } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { product } from '#origin/platform/store/schema.ts';

export interface ProductChange {
  gtin: string;
  language: string;
  /** To the microsecond, so that it can be sent back as `modified_after` without loss. */
  modified: string;
}

export interface ChangeFilter {
  language?: string | undefined;
  /** A Postgres timestamp; only what changed after it. */
  modifiedAfter?: string | undefined;
}

/** How many records there are. */
export async function countProductChanges(context: OriginContext, filter: ChangeFilter): Promise<number> {
  const [row] = await context.store.db.select({ total: count() }).from(product).where(matches(filter));
  return row?.total ?? 0;
}

/** Records by the time of their last change, in an order that no tie upsets. */
export function findProductChanges(
  context: OriginContext,
  filter: ChangeFilter,
  { offset, limit }: { offset: number; limit: number },
): Promise<ProductChange[]> {
  return context.store.db
    .select({
      gtin: product.gtin,
      language: product.language,
      modified: sql<string>`to_char(${product.modifiedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    })
    .from(product)
    .where(matches(filter))
    .orderBy(asc(product.modifiedAt), asc(product.gtin), asc(product.language))
    .offset(offset)
    .limit(limit);
}

function matches({ language, modifiedAfter }: ChangeFilter): SQL | undefined {
  return and(
    language === undefined ? undefined : eq(product.language, language),
    modifiedAfter === undefined ? undefined : sql`${product.modifiedAt} > ${modifiedAfter}::timestamptz`,
  );
}
