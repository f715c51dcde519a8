import { createHash } from 'node:crypto';
import { and, asc, count, eq, gt, inArray, isNotNull } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { listHeads, ListedHead } from '#contracts/seo/index.ts';
import { readTotal, totalColumn } from '#origin/platform/content/find-content.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { collection, type AnswerOf, type AnyCall, type Call } from '#origin/platform/http/transport/index.ts';
import { readWireMoment } from '#origin/platform/site/index.ts';
import { retryTransaction } from '#origin/platform/store/index.ts';
import { content, option, term, user } from '#origin/platform/store/schema.ts';
import { noticedOptions, SITE_HEADS_OPTION } from '../options.ts';
import { seoRecord, type SeoRecord } from '../records/tables.ts';
import { composeHead } from './compose-head.ts';
import type { FoundPage } from './find-page.ts';
import { loadHeadScope, loadPages, type HeadScope } from './load-pages.ts';
import { loadTermTree } from './term-tree.ts';

/** Pages that have a head of their own and that somebody could look for. */
const LISTED = ['post', 'term', 'user', 'home-page', 'post-type-archive'] as const;

/** Heads in bulk, in an order that later changes don't disturb: a fixed number of statements for a page of them. */
export async function answerHeads(call: Call<typeof listHeads>): Promise<AnswerOf<typeof listHeads>> {
  const { page, per_page: perPage, modified_after: after } = call.query;
  const { db } = call.context.store;
  const scope = await loadHeadScope(call);
  const siteChanged = await noteSite(call, scope);
  const since = after === undefined ? undefined : readWireMoment(after, scope.site.timezone);
  // Names of the site are in every head.
  const changed = since === undefined || siteChanged > since ? undefined : gt(seoRecord.updatedAt, since);
  const isListed = and(
    eq(seoRecord.isPublic, true),
    isNotNull(seoRecord.path),
    inArray(seoRecord.type, [...LISTED]),
    changed,
  );
  const counted = db.select({ total: count() }).from(seoRecord).where(isListed);
  const offset = (page - 1) * perPage;
  const listed = await db
    .select({ record: seoRecord, total: totalColumn(counted), row: content, term, user })
    .from(seoRecord)
    // As they are now; what strangers can't see any more is not there.
    .leftJoin(content, and(isOf('post', content.id), eq(content.status, 'publish')))
    .leftJoin(term, isOf('term', term.id))
    .leftJoin(user, and(isOf('user', user.id), eq(user.active, true)))
    .where(isListed)
    .orderBy(asc(seoRecord.id))
    .limit(perPage)
    .offset(offset);
  const total = await readTotal(listed, offset, () => counted);
  if (page > 1 && page > Math.ceil(total / perPage))
    throw call.refuse('rest_post_invalid_page_number', `There is no page ${page} of the heads.`);
  const found = await findRecorded(call.context, listed);
  const pages = await loadPages(
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

/** The row of a record, by its kind and id. */
function isOf(type: SeoRecord['type'], id: PgColumn) {
  return and(eq(seoRecord.type, type), eq(id, seoRecord.objectId));
}

/** A record with its row, where it is of one. */
interface Listed {
  record: SeoRecord;
  row: typeof content.$inferSelect | null;
  term: typeof term.$inferSelect | null;
  user: typeof user.$inferSelect | null;
}

/** The pages of records; a record whose row is not there is left out. */
async function findRecorded(context: Pick<OriginContext, 'store' | 'kinds' | 'publicUrl'>, listed: readonly Listed[]) {
  const terms = listed.flatMap((one) => one.term ?? []);
  const tree = await loadTermTree(context, context.publicUrl, terms);
  const find = ({ record, row, term: ofTerm, user: author }: Listed): FoundPage | undefined => {
    switch (record.type) {
      case 'post':
        return row ? { kind: 'content', row } : undefined;
      case 'term':
        return ofTerm ? { kind: 'term', row: ofTerm, tree } : undefined;
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

/** Since when the site has been called as it is now; remembered when it is first asked for. */
async function noteSite(
  { context, requestMemo }: Pick<AnyCall, 'context' | 'requestMemo'>,
  { head, site }: HeadScope,
): Promise<Date> {
  const digest = createHash('sha256')
    .update(JSON.stringify([{ ...head, options: noticedOptions(head.options) }, site]))
    .digest('base64');
  const known = await requestMemo.known<{ digest?: string; at?: string } | undefined>(SITE_HEADS_OPTION);
  const { digest: former, at } = known ?? {};
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
