import { getHead, listHeads, type HeadJson, type ListedHead } from '#contracts/seo/head.ts';
import { type ResultOf, type Call, collection, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { composeHead } from './compose-head.ts';
import { findPage, type PageMatch, loadTermTree } from './find-page.ts';
import { loadHeadContext, loadHeadPages, type HeadContext } from './load-pages.ts';
import { robotsText } from '#contracts/seo/robots.ts';
import { VERIFICATION_KEYS, VERIFICATION_TAGS } from '#contracts/seo/site-options.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { createHash } from 'node:crypto';
import { and, asc, eq, gt, inArray, isNotNull } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { parseSiteDate } from '#contracts/site-clock.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { content, option, term, user } from '#origin/platform/store/schema.ts';
import { publicOptions, SITE_HEADS_OPTION } from '../options.ts';
import { seoRecord, type SeoRecord } from '../records/tables.ts';

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

/** Record types with pages that visitors can look for. */
const LISTED_TYPES = ['post', 'term', 'user', 'home-page', 'post-type-archive'] as const;

/** Lists heads in a stable order, with a fixed number of statements per page. */
async function handleListHeads(call: Call<typeof listHeads>): Promise<ResultOf<typeof listHeads>> {
  const { page, per_page: perPage, modified_after: after } = call.query;
  const { db } = call.context.store;
  const scope = await loadHeadContext(call);
  const siteChanged = await trackSiteChange(call, scope);
  const since = after === undefined ? undefined : parseSiteDate(after, scope.site.timezone);
  // Every head contains data of the site.
  const changed = since === undefined || siteChanged > since ? undefined : gt(seoRecord.updatedAt, since);
  const isListed = and(
    eq(seoRecord.isPublic, true),
    isNotNull(seoRecord.path),
    inArray(seoRecord.type, [...LISTED_TYPES]),
    changed,
  );
  const total = await db.$count(seoRecord, isListed);
  const listed = await db
    .select({ record: seoRecord, row: content, term, user })
    .from(seoRecord)
    // Join the current rows. Rows that are no longer public are left out.
    .leftJoin(content, and(isRowOfType('post', content.id), eq(content.status, 'publish')))
    .leftJoin(term, isRowOfType('term', term.id))
    .leftJoin(user, and(isRowOfType('user', user.id), eq(user.active, true)))
    .where(isListed)
    .orderBy(asc(seoRecord.id))
    .limit(perPage)
    .offset((page - 1) * perPage);
  if (page > 1 && page > Math.ceil(total / perPage))
    throw call.refuse('rest_post_invalid_page_number', `There is no page ${page} of heads.`);
  const found = await findRecorded(call.context, listed);
  const pages = await loadHeadPages(
    found.map((one) => one.found),
    scope,
  );
  const heads = pages.flatMap((one, i): ListedHead[] => {
    const record = found[i]?.record;
    if (!record) return [];
    const { is_cornerstone, breadcrumb_title, redirect } = one.settings;
    return [
      {
        type: listedType(record),
        subtype: record.type === 'post-type-archive' ? record.subType : '',
        id: record.objectId,
        url: one.url,
        modified: new Date(Math.max(record.updatedAt.getTime(), siteChanged.getTime())).toISOString(),
        head: composeHead(one, scope.head),
        settings: { is_cornerstone, breadcrumb_title, redirect },
      },
    ];
  });
  return collection(heads, total, { page, perPage });
}

function listedType({ type, subType }: SeoRecord): string {
  if (type === 'post' || type === 'term') return subType;
  if (type === 'user') return 'user';
  return type === 'home-page' ? 'home' : 'archive';
}

/** Joins a record with its row by type and ID. */
function isRowOfType(type: SeoRecord['type'], id: PgColumn) {
  return and(eq(seoRecord.type, type), eq(id, seoRecord.objectId));
}

/** A record with its row, unless it describes a page of the site itself. */
interface RecordWithRow {
  record: SeoRecord;
  row: typeof content.$inferSelect | null;
  term: typeof term.$inferSelect | null;
  user: typeof user.$inferSelect | null;
}

/** Finds the pages of records. Records without a row are left out. */
async function findRecorded(
  context: Pick<OriginContext, 'store' | 'kinds' | 'publicUrl'>,
  listed: readonly RecordWithRow[],
) {
  const terms = listed.flatMap((one) => one.term ?? []);
  const tree = await loadTermTree(context, context.publicUrl, terms);
  const find = ({ record, row, term: termRow, user: author }: RecordWithRow): PageMatch | undefined => {
    switch (record.type) {
      case 'post':
        return row ? { kind: 'content', row } : undefined;
      case 'term':
        return termRow ? { kind: 'term', row: termRow, tree } : undefined;
      case 'user':
        return author ? { kind: 'author', row: author } : undefined;
      case 'home-page':
        return { kind: 'home' };
      default: {
        const of = context.kinds.get(record.subType);
        return of && { kind: 'archive', of };
      }
    }
  };
  return listed.flatMap((one) => {
    const page = find(one);
    return page ? [{ record: one.record, found: page }] : [];
  });
}

/** Returns when the site data of heads last changed. Stores the time if the data differ from those stored before. */
async function trackSiteChange(
  { context, requestMemo }: Pick<AnyCall, 'context' | 'requestMemo'>,
  { head, site }: HeadContext,
): Promise<Date> {
  const digest = createHash('sha256')
    .update(JSON.stringify([{ ...head, options: publicOptions(head.options) }, site]))
    .digest('base64');
  const stored = await requestMemo.known<{ digest?: string; at?: string } | undefined>(SITE_HEADS_OPTION);
  const { digest: former, at } = stored ?? {};
  if (former === digest && at !== undefined) return new Date(at);
  const now = new Date();
  const value = { digest, at: now.toISOString() };
  await retryTransaction(context.store.db, (tx) =>
    tx
      .insert(option)
      .values({ name: SITE_HEADS_OPTION, value })
      .onConflictDoUpdate({ target: option.name, set: { value } }),
  );
  return now;
}
