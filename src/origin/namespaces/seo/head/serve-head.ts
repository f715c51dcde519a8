import { getHead, listHeads, type HeadJson, type ListedHead } from '#contracts/seo/head.ts';
import { type ResultOf, type Call, collection } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { composeHead } from './compose-head.ts';
import { findPage, publishedPostsOfUser, typesWithHeads, type PageMatch } from './find-page.ts';
import { loadHeadContext, loadHeadPages, type HeadContext } from './load-pages.ts';
import { robotsText } from '#contracts/seo/robots.ts';
import { VERIFICATION_KEYS, VERIFICATION_TAGS } from '#contracts/seo/site-options.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { createHash } from 'node:crypto';
import { and, eq, exists, gt, inArray, ne, not, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { parseSiteDate } from '#contracts/site-clock.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { content, term, user } from '#origin/platform/store/schema.ts';
import type { Store } from '#origin/platform/store/store.ts';
import { seoHead } from '../tables.ts';

/** Serves single heads of pages and lists of heads. */
export function serveHeads(registry: RouteRegistry): void {
  registry.serve(getHead, getPageHead);
  registry.serve(listHeads, handleListHeads);
}

async function getPageHead(call: Call<typeof getHead>): Promise<ResultOf<typeof getHead>> {
  const { context, addresses, caller, query } = call;
  const found = await findPage(context, addresses.site, query.url, caller);
  const scope = await loadHeadContext(call);
  const [page] = await loadHeadPages([found], scope);
  if (!page) throw new Error('The head of a page could not be loaded.');
  const json = composeHead(page, scope.head);
  const status = found.kind === '404' ? 404 : 200;
  return { status, body: { html: headHtml(json), json, status } };
}

/** Keys that are written as `property`. The first underscore becomes a colon. */
const PROPERTY_KEYS = [
  'og_locale',
  'og_type',
  'og_title',
  'og_description',
  'og_url',
  'og_site_name',
  'article_publisher',
  'article_author',
  'article_published_time',
  'article_modified_time',
] as const;
const TWITTER_KEYS = [
  'twitter_card',
  'twitter_title',
  'twitter_description',
  'twitter_image',
  'twitter_creator',
  'twitter_site',
] as const;
/** Renders a head as HTML, one tag per line, with all values escaped. */
function headHtml(head: HeadJson): string {
  const lines: string[] = [];
  const meta = (attribute: 'name' | 'property', name: string, value: string | number | undefined) => {
    if (value !== undefined) lines.push(`<meta ${attribute}="${name}" content="${escapeHtml(String(value))}" />`);
  };
  const link = (rel: string, href: string | undefined) => {
    if (href !== undefined) lines.push(`<link rel="${rel}" href="${escapeHtml(href)}" />`);
  };
  if (head.title !== undefined) lines.push(`<title>${escapeHtml(head.title)}</title>`);
  meta('name', 'description', head.description);
  meta('name', 'robots', head.robots && robotsText(head.robots));
  link('canonical', head.canonical);
  link('prev', head.prev);
  link('next', head.next);
  for (const key of PROPERTY_KEYS) meta('property', propertyName(key), head[key]);
  for (const { url, width, height, type } of head.og_image ?? []) {
    meta('property', 'og:image', url);
    meta('property', 'og:image:width', width);
    meta('property', 'og:image:height', height);
    meta('property', 'og:image:type', type);
  }
  meta('name', 'author', head.author);
  for (const key of TWITTER_KEYS) meta('name', key.replace('_', ':'), head[key]);
  for (const [i, [label, value]] of Object.entries(head.twitter_misc ?? {}).entries()) {
    meta('name', `twitter:label${i + 1}`, label);
    meta('name', `twitter:data${i + 1}`, value);
  }
  if (head.schema) lines.push(`<script type="application/ld+json">${scriptJson(head.schema)}</script>`);
  for (const key of VERIFICATION_KEYS) meta('name', VERIFICATION_TAGS[key], head[key]);
  return lines.join('\n');
}

/** `og_site_name` is `og:site_name`, `article_published_time` is `article:published_time`. */
function propertyName(key: (typeof PROPERTY_KEYS)[number]): string {
  return key.replace('_', ':');
}

/** Serializes JSON for a script element: the value can't close the element. */
function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('>', String.raw`\u003e`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);
}

/** Lists heads in a stable order. */
async function handleListHeads(call: Call<typeof listHeads>): Promise<ResultOf<typeof listHeads>> {
  const { page, per_page: perPage, modified_after: after } = call.query;
  const scope = await loadHeadContext(call);
  const since = after === undefined ? undefined : parseSiteDate(after, scope.site.timezone);
  if (since && page === 1) await recordHeads(scope);
  const { heads, total } = await loadHeads(scope, { limit: perPage, offset: (page - 1) * perPage, since });
  if (page > 1 && heads.length === 0)
    throw call.refuse('rest_post_invalid_page_number', `There is no page ${page} of heads.`);
  return collection(heads, total, { page, perPage });
}

/** Heads composed at a time. */
const BATCH = 100;
/** Number of writes when the heads of a store were recorded. */
const recordedWrites = new WeakMap<Store['writes'], number>();

/** Records which heads have changed by composing all of them, unless nothing was written since the last time. */
async function recordHeads(scope: HeadContext): Promise<void> {
  const { db, writes } = scope.context.store;
  const { count } = writes;
  if (count !== undefined && recordedWrites.get(writes) === count) return;
  for (let offset = 0, total = 1; offset < total; offset += BATCH)
    ({ total } = await loadHeads(scope, { limit: BATCH, offset }));
  // A page that is published again has changed, even with the same head.
  const isListed = sql`exists (select from ${pagesOf(scope.context)} page where page.type = ${seoHead.type} and page.id = ${seoHead.objectId})`;
  await retryTransaction(db, (tx) => tx.delete(seoHead).where(not(isListed)));
  if (count !== undefined) recordedWrites.set(writes, count);
}

interface HeadWindow {
  limit: number;
  offset: number;
  since?: Date | undefined;
}

/** Loads heads with a fixed number of statements, and records which of them have changed since they were last loaded. */
async function loadHeads(scope: HeadContext, window: HeadWindow): Promise<{ heads: ListedHead[]; total: number }> {
  const { db } = scope.context.store;
  const rows = await selectPages(scope, window);
  const found = rows.flatMap((row) => {
    const page = matchPage(row, scope);
    return page ? [{ ...row, page }] : [];
  });
  const pages = await loadHeadPages(
    found.map(({ page }) => page),
    scope,
  );
  const now = new Date();
  const composed = pages.map((page, i) => {
    const { is_cornerstone, breadcrumb_title, redirect } = page.settings;
    const listed = {
      type: page.kind === 'author' ? 'user' : page.kind === 'archive' ? 'archive' : page.type,
      subtype: page.kind === 'archive' ? page.type.replace('archive-', '') : '',
      id: page.id,
      url: page.url,
      head: composeHead(page, scope.head),
      settings: { is_cornerstone, breadcrumb_title, redirect },
    };
    const digest = createHash('sha256').update(JSON.stringify(listed)).digest('base64url');
    const changedAt = found[i]?.digest === digest ? (found[i]?.changedAt ?? now) : now;
    return { listed, record: { type: page.type, objectId: page.id, digest, changedAt } };
  });
  const changed = composed.flatMap(({ record }) => (record.changedAt === now ? [record] : []));
  if (changed.length > 0)
    await retryTransaction(db, (tx) =>
      tx
        .insert(seoHead)
        .values(changed)
        .onConflictDoUpdate({
          target: [seoHead.type, seoHead.objectId],
          set: { digest: sql`excluded.digest`, changedAt: sql`excluded.changed_at` },
          setWhere: ne(seoHead.digest, sql`excluded.digest`),
        }),
    );
  const heads = composed.map(({ listed, record }) => ({ ...listed, modified: record.changedAt.toISOString() }));
  return { heads, total: rows[0]?.total ?? 0 };
}

/** Subquery of the types and IDs of all pages that anonymous visitors can open. */
function pagesOf(context: HeadContext['context']): SQL {
  const archives = [...context.kinds.values()].flatMap(({ type, archive }) => (archive === undefined ? [] : [type]));
  const isPublic = and(inArray(content.type, typesWithHeads(context)), eq(content.status, 'publish'));
  const isAuthor = and(eq(user.active, true), exists(publishedPostsOfUser(context)));
  const sitePages = ['home', ...archives.map((type) => `archive-${type}`)].map((type) => sql`select ${type}::text, 0`);
  return sql`(
    select ${content.type} as type, ${content.id} as id from ${content} where ${isPublic}
    union all select ${term.taxonomy}, ${term.id} from ${term}
    union all select 'author', ${user.id} from ${user} where ${isAuthor}
    union all ${sql.join(sitePages, sql` union all `)}
  )`;
}

function selectPages({ context }: HeadContext, { limit, offset, since }: HeadWindow) {
  const { type, objectId, changedAt } = seoHead;
  const window = sql`(
    select page.type, page.id, ${seoHead.digest}, ${changedAt}, count(*) over () as total
    from ${pagesOf(context)} page left join ${seoHead} on ${type} = page.type and ${objectId} = page.id
    where ${since ? gt(changedAt, since) : sql`true`}
    order by page.id, page.type limit ${limit} offset ${offset}
  ) page`;
  const isRow = (rowType: SQLWrapper, id: SQLWrapper) => sql`page.type = ${rowType} and page.id = ${id}`;
  return context.store.db
    .select({
      type: sql<string>`page.type`,
      digest: sql<string | null>`page.digest`,
      changedAt: sql`page.changed_at`.mapWith(changedAt),
      total: sql`page.total`.mapWith(Number),
      row: content,
      term,
      user,
    })
    .from(window)
    .leftJoin(content, isRow(content.type, content.id))
    .leftJoin(term, isRow(term.taxonomy, term.id))
    .leftJoin(user, isRow(sql`'author'`, user.id))
    .orderBy(sql`page.id, page.type`);
}

function matchPage(
  { type, row, term: termRow, user: author }: Awaited<ReturnType<typeof selectPages>>[number],
  { context }: HeadContext,
): PageMatch | undefined {
  if (row) return { kind: 'content', row };
  if (termRow) return { kind: 'term', row: termRow };
  if (author) return { kind: 'author', row: author };
  if (type === 'home') return { kind: 'home' };
  const of = context.kinds.get(type.replace('archive-', ''));
  return of && { kind: 'archive', of };
}
