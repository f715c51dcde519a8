import { eq } from 'drizzle-orm';
import { SEO_OPTION, writeSeoOptions } from '#origin/namespaces/seo/options.ts';
import { seoObjectSettings } from '#origin/namespaces/seo/records/tables.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { option } from '#origin/platform/store/schema.ts';
import { demoMeta, type DemoSeo } from './demo-seo.ts';
import { termKey } from './seed-terms.ts';

/** Seeds what editors have set for categories, and what the site says of itself. Posts and pages have theirs as meta. */
export async function seedSeo(tx: Transaction, demo: DemoSeo, terms: ReadonlyMap<string, number>): Promise<void> {
  const rows = Object.entries(demo.categories).flatMap(([slug, given]) => {
    const objectId = terms.get(termKey('category', slug));
    return objectId === undefined ? [] : [{ type: 'term' as const, objectId, meta: demoMeta(given) }];
  });
  if (rows.length > 0) await tx.insert(seoObjectSettings).values(rows).onConflictDoNothing();
  await writeSeoOptions(tx, demo.site);
}

/** Forgets what the demo's site said of itself, unless somebody has named it otherwise since. */
export async function removeSeo(tx: Transaction, { site }: DemoSeo): Promise<void> {
  const [stored] = await tx.select().from(option).where(eq(option.name, SEO_OPTION));
  const { company_name: company } = (stored?.value ?? {}) as { company_name?: unknown };
  if (company === site.company_name)
    await writeSeoOptions(tx, { company_name: '', website_name: '', separator: '-', templates: {} });
}
