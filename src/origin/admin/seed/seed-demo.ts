import { inArray, getTableName, max, sql } from 'drizzle-orm';
import { languageName } from '#contracts/product/index.ts';
import { toSettingsMeta, seoSettings } from '#contracts/seo/settings.ts';
import { writeSeoOptions } from '#origin/namespaces/seo/options.ts';
import { seoObjectSettings } from '#origin/namespaces/seo/tables.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { toUtc } from '#contracts/site-clock.ts';
import { upsertProducts } from '#origin/platform/store/upsert-products.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, contentTerm, productLanguage, term, user } from '#origin/platform/store/schema.ts';
import { DEMO_LANGUAGES, type DemoContent, type DemoPage, type DemoPost, type DemoUser } from './demo-content.ts';
import type { DemoUpload } from './demo-files.ts';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';

const REGISTERED = new Date('2026-01-05T08:00:00Z');
/** Modification time of all product records; a record changed since then has another. */
export const DEMO_PRODUCTS_MODIFIED_AT = new Date('2026-01-12T08:00:00Z');
/** In the time zone of the site. */
export const UPLOADED = '2026-01-08 09:00:00';
export const PAGES_WRITTEN = '2026-01-09 09:00:00';

type ContentRow = typeof content.$inferInsert;

/**
 * Seeds all but the podcast with fixed dates and ids, so that two seeds are identical.
 *
 * @param uploads as `copyDemoFiles` returns them
 * @returns the id of the default category
 */
export async function seedDemo(
  tx: Transaction,
  { publicUrl }: Pick<OriginContext, 'publicUrl'>,
  demo: DemoContent,
  uploads: readonly DemoUpload[],
): Promise<number> {
  const languages = DEMO_LANGUAGES.map((code, position) => ({ code, name: languageName(code), position }));
  await tx.insert(productLanguage).values(languages).onConflictDoNothing();
  const records = Object.values(demo.products).flatMap((product) => Object.values(product));
  await upsertProducts(tx, records, DEMO_PRODUCTS_MODIFIED_AT);
  const rows = demo.users.map((account) => ({ ...account, slug: account.login, registeredAt: REGISTERED }));
  await tx.insert(user).values(rows).onConflictDoNothing();
  const authors = await findAuthors(tx, demo.users);
  const terms = await seedTerms(tx, demo);
  await seedContent(tx, demo, { uploads, authors, terms, site: publicUrl });
  await seedSeo(tx, demo, terms);
  return terms.values().next().value ?? 0;
}

/** Ids of the editorial accounts by language. The accounts have no password. */
export async function findAuthors(tx: Transaction, users: readonly DemoUser[]): Promise<Map<string, number>> {
  const logins = users.map(({ login }) => login);
  const found = await tx.select({ id: user.id, login: user.login }).from(user).where(inArray(user.login, logins));
  return new Map(users.map(({ language, login }) => [language, found.find((row) => row.login === login)?.id ?? 0]));
}

/** Seeds categories and tags in the order of their file. @returns their ids by `termKey` */
async function seedTerms(
  tx: Transaction,
  { categories, tags }: Pick<DemoContent, 'categories' | 'tags'>,
): Promise<Map<string, number>> {
  const firstId = await alignSequence(tx, term);
  const ids = new Map(
    [
      ...categories.map(({ slug }) => termKey('category', slug)),
      ...tags.map(({ slug }) => termKey('post_tag', slug)),
    ].map((key, i) => [key, firstId + i]),
  );
  const idOf = (taxonomy: string, slug: string | undefined) => ids.get(termKey(taxonomy, slug)) ?? 0;
  await tx.insert(term).values([
    ...categories.map(({ slug, name, description, parent }) => {
      const taxonomy = 'category' as const;
      return { id: idOf(taxonomy, slug), taxonomy, slug, name, description, parentId: idOf(taxonomy, parent) };
    }),
    ...tags.map(({ slug, name }) => ({ id: idOf('post_tag', slug), taxonomy: 'post_tag' as const, slug, name })),
  ]);
  await alignSequence(tx, term);
  return ids;
}

/** Slugs are unique within a taxonomy only. */
export function termKey(taxonomy: string, slug: string | undefined): string {
  return `${taxonomy} ${slug}`;
}

/** Seeds media, pages and posts, numbered in this order. */
async function seedContent(
  tx: Transaction,
  demo: DemoContent,
  {
    uploads,
    authors,
    terms,
    site,
  }: {
    uploads: readonly DemoUpload[];
    authors: ReadonlyMap<string, number>;
    terms: ReadonlyMap<string, number>;
    site: string;
  },
): Promise<void> {
  const firstId = await alignSequence(tx, content);
  const items = { attachment: uploads, page: demo.pages, post: demo.posts };
  const keys = Object.entries(items).flatMap(([type, some]) =>
    some.map(({ key, language }) => `${type} ${key} ${language}`),
  );
  const ids = new Map(keys.map((key, i) => [key, firstId + i]));
  const idOf = (type: keyof typeof items, key: string | undefined, language: string) =>
    ids.get(`${type} ${key} ${language}`) ?? 0;

  const shared = (type: keyof typeof items, { key, language }: { key: string; language: string }, date: string) => {
    const dateGmt = toUtc(date, demo.site.timezone);
    const authorId = authors.get(language) ?? 0;
    return { id: idOf(type, key, language), type, authorId, date, dateGmt, modified: date, modifiedGmt: dateGmt };
  };
  const written = ({ slug, title, body, language, featured }: DemoPage | DemoPost) => ({
    status: 'publish',
    slug,
    title,
    content: body.replaceAll('{site}', site).replaceAll(/\{media:([a-z0-9-]+)\}/g, (_, motif) => {
      const upload = uploads.find((candidate) => candidate.key === motif && candidate.language === language);
      return `${site}/uploads/${upload?.file}`;
    }),
    featuredMedia: idOf('attachment', featured, language),
  });

  await tx.insert(content).values([
    ...uploads.map((upload): ContentRow => {
      const { key, language, file, mediaDetails } = upload;
      const texts = demo.media.find((motif) => motif.key === key);
      return {
        ...shared('attachment', upload, UPLOADED),
        status: 'inherit',
        slug: `${key}-${language}`,
        title: texts?.title[language] ?? key,
        altText: texts?.alt[language] ?? '',
        excerpt: texts?.caption[language] ?? '',
        content: texts?.description[language] ?? '',
        guid: `${site}/uploads/${file}`,
        pingStatus: 'closed',
        mimeType: 'image/jpeg',
        file,
        mediaDetails,
      };
    }),
    ...demo.pages.map((page): ContentRow => {
      const { key, language, parent, menu_order: menuOrder } = page;
      return {
        ...shared('page', page, PAGES_WRITTEN),
        ...written(page),
        parentId: idOf('page', parent, language),
        menuOrder,
        guid: `${site}/?page_id=${idOf('page', key, language)}`,
        commentStatus: 'closed',
        pingStatus: 'closed',
        meta: seoMeta(demo.seo.pages[key]?.[language]),
      };
    }),
    ...demo.posts.map((post): ContentRow => {
      const { key, language, date, excerpt = '', sticky, slug } = post;
      return {
        ...shared('post', post, date.replace('T', ' ')),
        ...written(post),
        excerpt,
        sticky,
        guid: `${site}/${slug}/`,
        meta: seoMeta(demo.seo.posts[key]?.[language]),
      };
    }),
  ]);
  await alignSequence(tx, content);
  await tx.insert(contentTerm).values(
    demo.posts.flatMap(({ key, language, categories, tags }) => {
      const contentId = idOf('post', key, language);
      return [
        ...categories.map((slug) => ({ contentId, termId: terms.get(termKey('category', slug)) ?? 0 })),
        ...tags.map((slug) => ({ contentId, termId: terms.get(termKey('post_tag', slug)) ?? 0 })),
      ];
    }),
  );
}

/** Seeds the settings for the heads of categories and of the site. Those of posts and pages are their meta. */
async function seedSeo(tx: Transaction, { seo }: DemoContent, terms: ReadonlyMap<string, number>): Promise<void> {
  const rows = Object.entries(seo.categories).flatMap(([slug, fields]) => {
    const objectId = terms.get(termKey('category', slug));
    return objectId === undefined ? [] : [{ type: 'term' as const, objectId, meta: seoMeta(fields) }];
  });
  if (rows.length > 0) await tx.insert(seoObjectSettings).values(rows).onConflictDoNothing();
  await writeSeoOptions(tx, seo.site);
}

function seoMeta(fields: object | undefined): Record<string, string> {
  return toSettingsMeta(seoSettings.parse(fields ?? {}));
}

type Numbered = PgTable & { id: AnyPgColumn };

/**
 * Sets a table's sequence after its highest ID and returns the next ID. Sequences aren't rolled back, so a repeated
 * seed would otherwise number its rows differently.
 *
 * @param first lowest ID to assign
 */
export async function alignSequence(tx: Transaction, table: Numbered, first = 1): Promise<number> {
  const [row] = await tx.select({ last: max(table.id) }).from(table);
  const next = Math.max(Number(row?.last ?? 0) + 1, first);
  const sequence = sql`pg_get_serial_sequence(${`"${getTableName(table)}"`}, 'id')`;
  await tx.execute(sql`select setval(${sequence}, ${next}, false)`);
  return next;
}
