import { getHead, headJson, listHeads, type HeadJson, type ListedHead } from '#contracts/seo/head.ts';
import { robotsText } from '#contracts/seo/head-values.ts';
import { collection } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { composeHead } from './compose-head.ts';
import { findPage, isPublicAuthor, typesWithHeads, type PageMatch } from './find-page.ts';
import { describeRows, loadHeadContext, loadHeadPages, type HeadContext } from './load-pages.ts';
import { serializeLinkedData } from '#contracts/seo/linked-data.ts';
import { VERIFICATION_KEYS, VERIFICATION_TAGS, SEO_META_KEYS } from '#contracts/seo/settings.ts';
import { escapeHtml } from '#origin/platform/render/filter-html.ts';
import { createHash } from 'node:crypto';
import { and, eq, gt, inArray, ne, not, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { parseSiteDate } from '#contracts/site-clock.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { comment, content, contentTerm, term, user } from '#origin/platform/store/schema.ts';
import type { Store } from '#origin/platform/store/store.ts';
import { seoHead, seoObjectSettings } from '../tables.ts';
import { publicOptions } from '../options.ts';
import { loadImageVersions } from './load-site.ts';

/** Serves single heads of pages and lists of heads. */
export function serveHeads(registry: RouteRegistry): void {
  registry.serve(getHead, async (call) => {
    const { context, addresses, caller, query } = call;
    const found = await findPage(context, addresses.site, query.url, caller);
    const scope = await loadHeadContext(call);
    const [page] = await loadHeadPages([found], scope);
    if (!page) throw new Error('The head of a page could not be loaded.');
    const json = composeHead(page, scope.head);
    const status = found.kind === '404' ? 404 : 200;
    return { status, body: { html: headHtml(json), json, status } };
  });
  registry.serve(listHeads, async (call) => {
    const { page, per_page: perPage, modified_after: after } = call.query;
    const scope = await loadHeadContext(call);
    const since = after === undefined ? undefined : parseSiteDate(after, scope.site.timezone);
    if (since && page === 1) await recordHeads(scope);
    const { heads, total } = await loadHeads(scope, { limit: perPage, offset: (page - 1) * perPage, since });
    if (page > 1 && heads.length === 0)
      throw call.refuse('rest_post_invalid_page_number', `There is no page ${page} of heads.`);
    return collection(heads, total, { page, perPage });
  });
}

/** Keys that are written as `property`. The first underscore becomes a colon. */
const PROPERTY_KEYS = Object.keys(headJson.shape).filter((key) => /^(?:og|article)_/.test(key));
const TWITTER_KEYS = Object.keys(headJson.shape).filter((key) => key.startsWith('twitter_'));
/** Renders a head as HTML, one tag per line, with all values escaped. */
function headHtml(head: HeadJson): string {
  const lines: string[] = [];
  const values: Readonly<Record<string, unknown>> = head;
  const meta = (attribute: 'name' | 'property', name: string, value: unknown) => {
    if (typeof value === 'string' || typeof value === 'number')
      lines.push(`<meta ${attribute}="${name}" content="${escapeHtml(String(value))}" />`);
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
  for (const key of PROPERTY_KEYS) meta('property', key.replace('_', ':'), values[key]);
  for (const { url, width, height, type } of head.og_image ?? []) {
    meta('property', 'og:image', url);
    meta('property', 'og:image:width', width);
    meta('property', 'og:image:height', height);
    meta('property', 'og:image:type', type);
  }
  meta('name', 'author', head.author);
  for (const key of TWITTER_KEYS) meta('name', key.replace('_', ':'), values[key]);
  for (const [i, [label, value]] of Object.entries(head.twitter_misc ?? {}).entries()) {
    meta('name', `twitter:label${i + 1}`, label);
    meta('name', `twitter:data${i + 1}`, value);
  }
  if (head.schema) lines.push(`<script type="application/ld+json">${serializeLinkedData(head.schema)}</script>`);
  for (const key of VERIFICATION_KEYS) meta('name', VERIFICATION_TAGS[key], head[key]);
  return lines.join('\n');
}

/** Heads composed at a time. */
const BATCH = 100;

/** Values that a recorded head was composed from. */
interface RecordedInputs {
  /** Digest of the stored values, including those of images. */
  version: string;
  /** Keys of the images that the head can contain. */
  images: readonly string[];
}

/** Inputs of all recorded heads of a store, and the number of writes at that time. */
interface RecordedHeads {
  writes: number | undefined;
  /** Values that all heads depend on. */
  site: string;
  pages: ReadonlyMap<string, RecordedInputs>;
}
const recorded = new WeakMap<Store['writes'], RecordedHeads>();

/** Records which heads have changed. Composes only those whose stored values have changed since the last time. */
async function recordHeads(scope: HeadContext): Promise<void> {
  const { context, site, head } = scope;
  const { db, writes } = context.store;
  const { count } = writes;
  // Templates can contain the current date.
  const today = new Date().toISOString().slice(0, 10);
  const shared = JSON.stringify([site, { ...head, options: publicOptions(head.options) }, today]);
  const before = recorded.get(writes);
  if (count !== undefined && before?.writes === count && before.site === shared) return;
  const [rows, images] = await Promise.all([listPageVersions(scope), loadImageVersions(context)]);
  const descriptions = await describeRows(rows, scope);
  const versionOf = ({ id, version }: PageVersion, keys: readonly string[]) =>
    JSON.stringify([version, descriptions.get(id), keys.map((key) => images.get(key))]);
  const pages = new Map<string, RecordedInputs>();
  const changed = rows.filter((row) => {
    const key = keyOf(row);
    const known = before?.site === shared && row.isRecorded ? before.pages.get(key) : undefined;
    if (known) pages.set(key, known);
    return known?.version !== versionOf(row, known?.images ?? []);
  });
  for (let start = 0; start < changed.length; start += BATCH) {
    const batch = changed.slice(start, start + BATCH);
    const { imageKeys } = await loadHeads(scope, { limit: BATCH, offset: 0, pages: batch });
    for (const row of batch) {
      const keys = imageKeys.get(keyOf(row)) ?? [];
      pages.set(keyOf(row), { version: versionOf(row, keys), images: keys });
    }
  }
  // A page that is published again has changed, even with the same head.
  const isListed = sql`exists (select from ${pagesOf(context)} page where page.type = ${seoHead.type} and page.id = ${seoHead.objectId})`;
  if ((await db.$count(seoHead, not(isListed))) > 0)
    await retryTransaction(db, (tx) => tx.delete(seoHead).where(not(isListed)));
  recorded.set(writes, { writes: count, site: shared, pages });
}

type PageVersion = Awaited<ReturnType<typeof listPageVersions>>[number];
type PageKey = Pick<PageVersion, 'type' | 'id'>;

const keyOf = ({ type, id }: PageKey): string => `${type} ${id}`;

/** Lists all pages with a digest of their values and of related authors, terms, comments and ancestors. */
function listPageVersions({ context }: HeadContext) {
  return context.store.db
    .select({
      type: sql<string>`page.type`,
      id: sql`page.id`.mapWith(Number),
      version: sql<string>`page.version`,
      isRecorded: sql<boolean>`${seoHead.digest} is not null`,
    })
    .from(sql`${pagesOf(context, true)} page`)
    .leftJoin(seoHead, sql`${seoHead.type} = page.type and ${seoHead.objectId} = page.id`);
}

interface HeadWindow {
  limit: number;
  offset: number;
  since?: Date | undefined;
  /** Limits the list to these pages. */
  pages?: readonly PageKey[];
}

/** Loads heads with a fixed number of statements, and records which of them have changed since they were last loaded. */
async function loadHeads(scope: HeadContext, window: HeadWindow) {
  const { db } = scope.context.store;
  const rows = await selectPages(scope, window);
  const found = rows.flatMap((row) => {
    const page = matchPage(row, scope);
    return page ? [{ ...row, page }] : [];
  });
  const matches = found.map(({ page }) => page);
  const pages = await loadHeadPages(matches, scope);
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
  const heads = composed.map(({ listed, record }): ListedHead => ({
    ...listed,
    modified: record.changedAt.toISOString(),
  }));
  return {
    heads,
    total: rows[0]?.total ?? 0,
    imageKeys: new Map(pages.map((page) => [keyOf(page), page.imageKeys ?? []])),
  };
}

/**
 * Subquery of the types and IDs of all pages that anonymous visitors can open.
 * @param hasVersion true to add a digest of the stored values that the heads depend on, except the site and images
 */
function pagesOf(context: HeadContext['context'], hasVersion = false): SQL {
  const archives = [...context.kinds.values()].flatMap(({ type, archive }) => (archive === undefined ? [] : [type]));
  const types = typesWithHeads(context);
  const isPublic = and(inArray(content.type, types), eq(content.status, 'publish'));
  const version = (...values: SQL[]) =>
    hasVersion ? sql`, md5(concat_ws(' ', ${sql.join(values, sql`, `)})) as version` : sql``;
  const sitePages = ['home', ...archives.map((type) => `archive-${type}`)].map(
    (type) => sql`select ${type}::text, 0${version(sql`''`)}`,
  );
  const settingsOf = (type: 'term' | 'user', id: SQLWrapper) =>
    sql`(select meta::text from ${seoObjectSettings} where type = ${type} and object_id = ${id})`;
  // Ancestors change rarely, so that a change of any of them counts for all pages below.
  const parents = sql`(select md5(string_agg((p.*)::text, '' order by id)) from ${content} p
    where id in (select parent_id from ${content} where ${inArray(content.type, types)}))`;
  const parentTerms = sql`(select md5(string_agg((p.*)::text, '' order by id)) from ${term} p
    where id in (select parent_id from ${term}))`;
  const primary = sql`${content.meta} ->> ${SEO_META_KEYS.primary_category}`;
  const ofContent = version(
    sql`(${content}.*)::text`,
    sql`(select (${user}.*)::text from ${user} where ${user.id} = ${content.authorId})`,
    sql`(select string_agg((${term}.*)::text, '' order by ${term.id}) from ${term} join ${contentTerm}
      on ${contentTerm.termId} = ${term.id} where ${contentTerm.contentId} = ${content.id})`,
    sql`(select count(*) from ${comment} where ${comment.contentId} = ${content.id} and ${comment.status} = 'approved')`,
    sql`case when ${content.parentId} <> 0 then ${parents} end`,
    sql`case when ${primary} <> '' then ${parentTerms} end`,
    sql`(select (p.*)::text from ${term} p where p.id::text = ${primary})`,
  );
  return sql`(
    select ${content.type} as type, ${content.id} as id${ofContent} from ${content} where ${isPublic}
    union all select ${term.taxonomy}, ${term.id}${version(
      sql`(${term}.*)::text`,
      sql`case when ${term.parentId} <> 0 then ${parentTerms} end`,
      settingsOf('term', term.id),
    )} from ${term}
    union all select 'author', ${user.id}${version(
      sql`(${user}.*)::text`,
      settingsOf('user', user.id),
    )} from ${user} where ${isPublicAuthor(context)}
    union all ${sql.join(sitePages, sql` union all `)}
  )`;
}

function selectPages({ context }: HeadContext, { limit, offset, since, pages }: HeadWindow) {
  const { type, objectId, changedAt } = seoHead;
  const conditions = [
    since ? gt(changedAt, since) : undefined,
    pages && or(...pages.map((page) => sql`(page.type = ${page.type} and page.id = ${page.id})`)),
  ];
  const window = sql`(
    select page.type, page.id, ${seoHead.digest}, ${changedAt}, count(*) over () as total
    from ${pagesOf(context)} page left join ${seoHead} on ${type} = page.type and ${objectId} = page.id
    where ${and(sql`true`, ...conditions)}
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
