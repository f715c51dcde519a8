import { createHash } from 'node:crypto';
import { and, asc, count, eq, gt, inArray, isNotNull } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { listHeads, ListedHead } from '#contracts/seo/head.ts';
import { readTotal, totalColumn } from '#origin/platform/content/find-content.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { collection, type ResultOf, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import { parseSiteDate } from '#contracts/site-clock.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { content, option, term, user } from '#origin/platform/store/schema.ts';
import { publicOptions, SITE_HEADS_OPTION } from '../options.ts';
import { seoRecord, type SeoRecord } from '../records/tables.ts';
import { composeHead } from './compose-head.ts';
import type { PageMatch } from './find-page.ts';
import { loadHeadContext, loadHeadPages, type HeadContext } from './load-pages.ts';
import { loadTermTree } from './term-tree.ts';

/** Record types with pages that visitors can look for. */
const LISTED_TYPES = ['post', 'term', 'user', 'home-page', 'post-type-archive'] as const;

/** Lists heads in a stable order, with a fixed number of statements per page. */
export async function handleListHeads(call: Call<typeof listHeads>): Promise<ResultOf<typeof listHeads>> {
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
  const counted = db.select({ total: count() }).from(seoRecord).where(isListed);
  const offset = (page - 1) * perPage;
  const listed = await db
    .select({ record: seoRecord, total: totalColumn(counted), row: content, term, user })
    .from(seoRecord)
    // Join the current rows. Rows that are no longer public are left out.
    .leftJoin(content, and(isRowOfType('post', content.id), eq(content.status, 'publish')))
    .leftJoin(term, isRowOfType('term', term.id))
    .leftJoin(user, and(isRowOfType('user', user.id), eq(user.active, true)))
    .where(isListed)
    .orderBy(asc(seoRecord.id))
    .limit(perPage)
    .offset(offset);
  const total = await readTotal(listed, offset, () => counted);
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
