import { and, eq, inArray, like, notInArray, or, sql } from 'drizzle-orm';
import { EPISODE_PAGE_TYPE } from '#contracts/podcast/index.ts';
import { DEMO_LANGUAGES, type DemoContent } from './demo-content.ts';
import { SITE_OPTION } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { comment, content, contentTerm, option, product, term } from '#origin/platform/store/schema.ts';
import { UPLOADS_MONTH } from './demo-files.ts';
import { PAGES_WRITTEN, DEMO_PRODUCTS_MODIFIED_AT, termKey, UPLOADED } from './seed-demo.ts';

export type ContentRow = typeof content.$inferSelect;
export type TermRow = typeof term.$inferSelect;

/** A demo row that is not removed. */
export interface RetainedRow {
  what: string;
  id: string;
  name: string;
  why: string;
}

interface Sorted<T> {
  removable: T[];
  kept: RetainedRow[];
}

const CHANGED = 'it was changed';
const USED = 'it is used by content that stays';

/** Sorts product records by whether they were changed since they were seeded. */
export async function partitionDemoProducts(tx: Transaction, demo: DemoContent) {
  const rows = await tx
    .select()
    .from(product)
    .where(inArray(product.gtin, Object.keys(demo.products)));
  const demoRows = rows.filter(({ gtin, language }) => demo.products[gtin]?.[language] !== undefined);
  const isUnchanged = ({ modifiedAt }: (typeof demoRows)[number]) =>
    modifiedAt.getTime() === DEMO_PRODUCTS_MODIFIED_AT.getTime();
  const kept = demoRows
    .filter((row) => !isUnchanged(row))
    .map(({ gtin, language, record }) => ({
      what: 'product',
      id: `${gtin} ${language}`,
      name: record.name,
      why: CHANGED,
    }));
  return { removable: demoRows.filter(isUnchanged), kept };
}

/**
 * Sorts posts, pages, episodes and media. Every write updates their modification time, so unchanged rows still have the
 * demo's. Rows with comments, children or other references stay.
 */
export async function partitionDemoContent(tx: Transaction, demo: DemoContent): Promise<Sorted<ContentRow>> {
  const demoRows = await findContent(tx, demo);
  const why = new Map(demoRows.filter((row) => row.modified !== row.date).map(({ id }) => [id, CHANGED]));
  const ids = demoRows.map(({ id }) => id);
  const comments = await tx.select({ id: comment.contentId }).from(comment).where(inArray(comment.contentId, ids));
  for (const { id } of comments) if (!why.has(id)) why.set(id, 'it has comments');
  const isUsed = await usesOf(tx, ids);
  const isRetained = ({ id }: { id: number }) => why.has(id) || !ids.includes(id);
  for (let found = true; found;) {
    const used = demoRows.filter((row) => !isRetained(row) && isUsed(row, isRetained));
    for (const { id } of used) why.set(id, USED);
    found = used.length > 0;
  }
  const kept = demoRows
    .filter(isRetained)
    .map(({ id, type, title }) => ({ what: type, id: String(id), name: title, why: why.get(id) ?? '' }));
  return { removable: demoRows.filter((row) => !isRetained(row)), kept };
}

async function findContent(tx: Transaction, demo: DemoContent): Promise<ContentRow[]> {
  const files = demo.media.flatMap(({ key }) =>
    DEMO_LANGUAGES.map((language) => `${UPLOADS_MONTH}/${key}-${language}.jpg`),
  );
  const dates = new Map([
    ...demo.posts.map(({ slug, date }) => [slug, date.replace('T', ' ')] as const),
    ...demo.podcast.episodes.map(({ slug, published }) => [slug, published.replace('T', ' ')] as const),
  ]);
  const rows = await tx
    .select()
    .from(content)
    .where(
      or(
        and(eq(content.type, 'attachment'), inArray(content.file, files)),
        and(eq(content.type, 'page'), eq(content.date, PAGES_WRITTEN)),
        and(inArray(content.type, ['post', EPISODE_PAGE_TYPE]), inArray(content.date, [...dates.values()])),
      ),
    )
    .orderBy(content.id);
  return rows.filter(({ id, type, date, guid }) => {
    if (type === 'attachment') return date === UPLOADED;
    if (type === 'page') return guid.endsWith(`/?page_id=${id}`);
    return dates.get(guid.split('/').at(-2) ?? '') === date;
  });
}

type IsUsed = (row: ContentRow, isRetained: (row: { id: number }) => boolean) => boolean;

/** Finds rows that use a row as an image, are its children, or reference its file. */
async function usesOf(tx: Transaction, ids: number[]): Promise<IsUsed> {
  const folder = `%uploads/${UPLOADS_MONTH}/%`;
  const related = await tx
    .select({ id: content.id, type: content.type, parentId: content.parentId, featuredMedia: content.featuredMedia })
    .from(content)
    .where(or(inArray(content.featuredMedia, ids), and(eq(content.type, 'page'), inArray(content.parentId, ids))));
  const texts = await tx
    .select({ id: content.id, text: content.content })
    .from(content)
    .where(and(sql`${content.type} <> 'revision'`, like(content.content, folder)));
  const records = await tx
    .select({ text: sql<string>`${product.record}::text` })
    .from(product)
    .where(sql`${product.record}::text like ${folder}`);
  const [site] = await tx.select().from(option).where(eq(option.name, SITE_OPTION));
  const { site_icon, site_logo, page_on_front, page_for_posts } = (site?.value ?? {}) as Record<string, unknown>;
  const referencedIds = new Set<unknown>([site_icon, site_logo, page_on_front, page_for_posts]);
  return ({ id, file }, isRetained) => {
    const path = file === '' ? undefined : `uploads/${file.replace(/\.jpg$/, '')}`;
    return (
      referencedIds.has(id) ||
      related.some((other) => isRetained(other) && (other.featuredMedia === id || other.parentId === id)) ||
      (path !== undefined &&
        (texts.some((other) => isRetained(other) && other.text.includes(path)) ||
          records.some(({ text }) => text.includes(path))))
    );
  };
}

/**
 * Sorts categories and tags.
 *
 * @param removableIds IDs of the content that is removed
 */
export async function partitionDemoTerms(
  tx: Transaction,
  demo: DemoContent,
  removableIds: number[],
): Promise<Sorted<TermRow>> {
  const planned = new Map([
    ...demo.categories.map(
      ({ slug, name, description }) => [termKey('category', slug), { name, description }] as const,
    ),
    ...demo.tags.map(({ slug, name }) => [termKey('post_tag', slug), { name, description: '' }] as const),
  ]);
  const rows = await tx.select().from(term).orderBy(term.id);
  const demoRows = rows.filter(({ taxonomy, slug }) => planned.has(termKey(taxonomy, slug)));
  const ids = demoRows.map(({ id }) => id);
  const uses = await tx
    .selectDistinct({ id: contentTerm.termId })
    .from(contentTerm)
    .where(
      and(
        inArray(contentTerm.termId, ids),
        removableIds.length > 0 ? notInArray(contentTerm.contentId, removableIds) : undefined,
      ),
    );
  const why = new Map(uses.map(({ id }) => [id, USED]));
  for (const { id, taxonomy, slug, name, description } of demoRows) {
    const plan = planned.get(termKey(taxonomy, slug));
    if (plan?.name !== name || plan.description !== description) why.set(id, CHANGED);
  }
  const isRetained = ({ id }: { id: number }) => why.has(id) || !ids.includes(id);
  for (let found = true; found;) {
    const used = demoRows.filter(
      (row) => !isRetained(row) && rows.some((other) => isRetained(other) && other.parentId === row.id),
    );
    for (const { id } of used) why.set(id, USED);
    found = used.length > 0;
  }
  const kept = demoRows.filter(isRetained).map(({ id, taxonomy, name }) => ({
    what: taxonomy === 'category' ? 'category' : 'tag',
    id: String(id),
    name,
    why: why.get(id) ?? '',
  }));
  return { removable: demoRows.filter((row) => !isRetained(row)), kept };
}
