import { inArray } from 'drizzle-orm';
import { languageName } from '#contracts/product/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { putProducts, type Transaction } from '#origin/platform/store/index.ts';
import { content, contentTerm, productLanguage, user } from '#origin/platform/store/schema.ts';
import { alignIds } from './align-ids.ts';
import type { DemoUser } from './demo-content.ts';
import { DEMO_LANGUAGES, type PreparedDemo } from './prepare-demo.ts';
import { seedSeo } from './seed-seo.ts';
import { seedTerms } from './seed-terms.ts';
import { writeDemoRows } from './write-demo-rows.ts';

const REGISTERED = new Date('2026-01-05T08:00:00Z');

/** Modification time of all product records; a record changed since then has another. */
export const PRODUCTS_MODIFIED = new Date('2026-01-12T08:00:00Z');

/**
 * Seeds the demo content with fixed dates and ids, so that two seeds are identical.
 *
 * @returns the default category
 */
export async function seedDemo(tx: Transaction, context: OriginContext, demo: PreparedDemo): Promise<number> {
  const languages = DEMO_LANGUAGES.map((code, position) => ({ code, name: languageName(code), position }));
  await tx.insert(productLanguage).values(languages).onConflictDoNothing();
  const records = Object.values(demo.content.products).flatMap((product) => Object.values(product));
  await putProducts(tx, records, PRODUCTS_MODIFIED);

  const authors = await seedAuthors(tx, demo.content.users);
  const terms = await seedTerms(tx, demo.content);
  await seedSeo(tx, demo.content.seo, terms);
  const firstId = await alignIds(tx, content);
  const { rows, assigned } = writeDemoRows(demo, { firstId, authors, terms, site: context.publicUrl });
  await tx.insert(content).values(rows);
  await tx.insert(contentTerm).values(assigned);
  await alignIds(tx, content);
  return terms.values().next().value ?? 0;
}

/** The demo's editorial accounts, which nobody can sign in to. @returns their ids by login */
async function seedAuthors(tx: Transaction, users: readonly DemoUser[]): Promise<Map<string, number>> {
  const rows = users.map(({ login, email, name, role }) => ({
    login,
    email,
    name,
    slug: login,
    role,
    registeredAt: REGISTERED,
  }));
  await tx.insert(user).values(rows).onConflictDoNothing();
  const logins = users.map(({ login }) => login);
  const found = await tx.select({ id: user.id, login: user.login }).from(user).where(inArray(user.login, logins));
  return new Map(found.map(({ id, login }) => [login, id]));
}
