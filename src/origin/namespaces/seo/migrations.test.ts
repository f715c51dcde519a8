import { readFileSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANALYSED_KEY } from '#contracts/seo/settings.ts';
import { content } from '#origin/platform/store/schema.ts';
import { analyseDueTexts } from './analysis.ts';
import { openSeoSite, OPEN_TIMEOUT_MS, type SeoSite } from './testing/seo-site.ts';

let site: SeoSite;
beforeAll(async () => {
  site = await openSeoSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

async function migrate(...names: string[]): Promise<void> {
  for (const name of names) {
    const file = readFileSync(new URL(`migrations/${name}.sql`, import.meta.url), 'utf8');
    for (const statement of file.split('--> statement-breakpoint'))
      await site.context.store.db.execute(sql.raw(statement));
  }
}

it('a store with records keeps its scores, and analyses only texts that were due', async () => {
  const { db } = site.context.store;
  await db.execute(sql`drop table seo_head, seo_object_settings`);
  await migrate('0000_seo', '0001_scores', '0002_pictures');
  const row = { type: 'post', status: 'publish', modifiedGmt: '2026-01-10 08:00:00', meta: { _seo_linkdex: '70' } };
  const analysed = await site.addContent({ ...row, slug: 'analysed' });
  const due = await site.addContent({ ...row, slug: 'due' });
  for (const id of [analysed, due])
    await db.execute(
      sql`insert into seo_record (type, sub_type, object_id, seo_score, is_analysis_due) values ('post', 'post', ${id}, 70, ${id === due})`,
    );
  await migrate('0003_on-demand');
  expect(await analyseDueTexts(site.context)).toBe(1);
  const [stored] = await db.select().from(content).where(eq(content.id, analysed));
  expect(stored?.meta).toEqual({ _seo_linkdex: '70', [ANALYSED_KEY]: '2026-01-10 08:00:00' });
  expect((await site.fetch('/seo/v1/heads')).status).toBe(200);
});
