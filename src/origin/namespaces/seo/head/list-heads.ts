import { createHash } from 'node:crypto';
import { and, asc, count, eq, gt, inArray, isNotNull } from 'drizzle-orm';
import type { listHeads, ListedHead } from '#contracts/seo/index.ts';
import { readTotal, totalColumn } from '#origin/platform/content/find-content.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { collection, type AnswerOf, type Call } from '#origin/platform/http/transport/index.ts';
import { readWireMoment } from '#origin/platform/site/index.ts';
import { retryTransaction } from '#origin/platform/store/index.ts';
import { content, option, term, user } from '#origin/platform/store/schema.ts';
import { noticedOptions } from '../options.ts';
import { seoRecord, type SeoRecord } from '../records/tables.ts';
import { composeHead } from './compose-head.ts';
import type { FoundPage } from './find-page.ts';
import { loadHeadScope, loadPages, type HeadScope } from './load-pages.ts';
import { loadTermTree } from './term-tree.ts';

/** Option that keeps since when the site itself is called what it is called. */
const OPTION = 'seo-site-heads';

/** Pages that have a head of their own and that somebody could look for. */
const LISTED = ['post', 'term', 'user', 'home-page', 'post-type-archive'] as const;

/** Heads in bulk, in an order that later changes don't disturb: a fixed number of statements for a page of them. */
export async function answerHeads(call: Call<typeof listHeads>): Promise<AnswerOf<typeof listHeads>> {
  const { page, per_page: perPage, modified_after: after } = call.query;
  const { db } = call.context.store;
  const scope = await loadHeadScope(call);
  const siteChanged = await noteSite(call.context, scope);
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
    .select({ record: seoRecord, total: totalColumn(counted) })
    .from(seoRecord)
    .where(isListed)
    .orderBy(asc(seoRecord.id))
    .limit(perPage)
    .offset(offset);
  const total = await readTotal(listed, offset, counted);
  const records = listed.map(({ record }) => record);
  if (page > 1 && page > Math.ceil(total / perPage))
    throw call.refuse('rest_post_invalid_page_number', `There is no page ${page} of the heads.`);
  const found = await findRecorded(call.context, records);
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

/** The rows of records, as they are now; a record whose row strangers can't see any more is left out. */
async function findRecorded(
  context: Pick<OriginContext, 'store' | 'kinds' | 'publicUrl'>,
  records: readonly SeoRecord[],
) {
  const { db } = context.store;
  const idsOf = (type: SeoRecord['type']) => records.filter((row) => row.type === type).map((row) => row.objectId);
  const [rows, terms, users] = await Promise.all([
    ofSome(idsOf('post'), (ids) =>
      db
        .select()
        .from(content)
        .where(and(inArray(content.id, ids), eq(content.status, 'publish'))),
    ),
    ofSome(idsOf('term'), (ids) => db.select().from(term).where(inArray(term.id, ids))),
    ofSome(idsOf('user'), (ids) =>
      db
        .select()
        .from(user)
        .where(and(inArray(user.id, ids), eq(user.active, true))),
    ),
  ]);
  const tree = await loadTermTree(context, context.publicUrl, terms);
  const byId = {
    post: new Map(rows.map((row) => [row.id, row])),
    term: new Map(terms.map((row) => [row.id, row])),
    user: new Map(users.map((row) => [row.id, row])),
  };
  const find = ({ type, subType, objectId }: SeoRecord): FoundPage | undefined => {
    switch (type) {
      case 'post': {
        const row = byId.post.get(objectId);
        return row && { kind: 'content', row };
      }
      case 'term': {
        const row = byId.term.get(objectId);
        return row && { kind: 'term', row, tree };
      }
      case 'user': {
        const row = byId.user.get(objectId);
        return row && { kind: 'author', row };
      }
      case 'home-page':
        return { kind: 'home' };
      default: {
        const of = context.kinds.get(subType);
        return of && { kind: 'archive', of };
      }
    }
  };
  return records.flatMap((record) => {
    const page = find(record);
    return page ? [{ record, found: page }] : [];
  });
}

/** Of none, nothing is asked for. */
function ofSome<Row>(ids: number[], load: (ids: number[]) => Promise<Row[]>): Promise<Row[]> {
  return ids.length === 0 ? Promise.resolve([]) : load(ids);
}

/** Since when the site has been called as it is now; remembered when it is first asked for. */
async function noteSite({ store }: Pick<OriginContext, 'store'>, { head, site }: HeadScope): Promise<Date> {
  const digest = createHash('sha256')
    .update(JSON.stringify([{ ...head, options: noticedOptions(head.options) }, site]))
    .digest('base64');
  const [known] = await store.db.select().from(option).where(eq(option.name, OPTION));
  const { digest: former, at } = (known?.value ?? {}) as { digest?: string; at?: string };
  if (former === digest && at !== undefined) return new Date(at);
  const now = new Date();
  const value = { digest, at: now.toISOString() };
  await retryTransaction(store.db, (tx) =>
    tx.insert(option).values({ name: OPTION, value }).onConflictDoUpdate({ target: option.name, set: { value } }),
  );
  return now;
}
