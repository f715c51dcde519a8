import { asc } from 'drizzle-orm';
import type { Language } from '#contracts/product/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { productLanguage } from '#origin/platform/store/schema.ts';

/** The languages on offer; the first is the main one. */
export function findLanguages(context: OriginContext): Promise<Language[]> {
  return context.store.db
    .select({ code: productLanguage.code, name: productLanguage.name })
    .from(productLanguage)
    .orderBy(asc(productLanguage.position), asc(productLanguage.code));
}
