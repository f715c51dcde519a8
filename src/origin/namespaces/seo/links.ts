import { and, eq, inArray, sql, type SQL, type SQLWrapper, desc, not } from 'drizzle-orm';
import { getContentUrl, loadAncestors } from '#origin/platform/content/content-url.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { content, term } from '#origin/platform/store/schema.ts';
import { loadTermTree, typesWithHeads } from './head/find-page.ts';
import { readStoredUrl, managerRules, requireRights, hasNoindexSetting } from './settings.ts';
import { decodeHtml } from '#contracts/html/html-text.ts';
import * as routes from '#contracts/seo/state.ts';
import { canEdit } from '#origin/platform/content/content-rights.ts';
import { failure, item, type AnyCall, type Call } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { matchesTerm } from '#origin/platform/search/search-condition.ts';
import { parseSettingsMeta } from '#contracts/seo/settings.ts';
import { lockOption, readOption, storeOption } from '#origin/platform/store/lock-option.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { decodePercent } from '#contracts/scan-text.ts';

/** Values of `href` in PostgreSQL's syntax. Never reads past the next tag, so that it is linear in the text. */
const HREF = String.raw`<a(?:\s[^<>]*)?\shref\s*=\s*("[^"<]*"|'[^'<]*'|[^\s"'<>]+)`;

function hrefsOf(html: SQLWrapper): SQL<string[]> {
  return sql<string[]>`to_json(array(select distinct (regexp_matches(${html}, ${HREF}, 'gi'))[1]))`;
}

/** Finds the links in all public texts and descriptions of terms. */
export async function loadLinks(context: Pick<OriginContext, 'store' | 'kinds' | 'publicUrl'>) {
  const { store, kinds, publicUrl } = context;
  const { db } = store;
  const { id, type, title, status, slug, parentId, date, meta } = content;
  const rows = await db
    .select({ id, type, title, status, slug, parentId, date, meta, hrefs: hrefsOf(content.content) })
    .from(content)
    .where(and(inArray(type, typesWithHeads(context)), eq(status, 'publish'), eq(content.password, '')));
  const ancestors = await loadAncestors(db, rows);
  const terms = await db.select({ row: term, hrefs: hrefsOf(term.description) }).from(term);
  const termRows = terms.map(({ row }) => row);
  const tree = await loadTermTree(context, publicUrl, termRows);
  const roots = [publicUrl, (await readStoredUrl(db)) ?? publicUrl].map((url) => new URL(url));
  const base = { site: publicUrl, kinds };
  const pages = rows.map(({ hrefs, ...row }) => ({ row, hrefs, url: getContentUrl(row, base, ancestors) }));
  const counts = new Map<string, number>();
  for (const { url, hrefs } of [...pages, ...terms.map(({ row, hrefs }) => ({ url: tree.urlOf(row), hrefs }))]) {
    const targets = new Set(hrefs.map((href) => resolvePath(href, url, roots)));
    targets.delete(resolvePath(url, url, roots));
    for (const path of targets) if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1);
  }
  /** Returns the number of other texts that link to a page of the site. */
  const countIncoming = (url: string) => counts.get(resolvePath(url, url, roots) ?? '') ?? 0;
  return {
    countIncoming,
    texts: pages.map(({ row, url }) => ({ ...row, url, incoming_link_count: countIncoming(url) })),
  };
}

/**
 * Resolves a link to a path of the site: lower case, with a trailing slash unless it names a file. Undefined outside
 * the site.
 *
 * @param base address of the page that contains the link
 * @param roots current and stored address of the site
 */
function resolvePath(href: string, base: string, roots: readonly URL[]): string | undefined {
  const address = href.replaceAll(/^["']|["']$/g, '').replaceAll('&amp;', '&');
  const url = URL.parse(address.trim(), base);
  const root = roots.find(({ host }) => host === url?.host);
  const prefix = root?.pathname.replace(/\/$/, '') ?? '';
  if (!url || !root || !`${url.pathname}/`.startsWith(`${prefix}/`)) return undefined;
  const path = url.pathname.slice(prefix.length).toLowerCase();
  return path.endsWith('/') || path.slice(path.lastIndexOf('/')).includes('.') ? path : `${path}/`;
}

const MAX_AVAILABLE = 100;
const MAX_META = 25;

/** Serves lookups for editors: available content, meta fields, file sizes, and guided reviews of texts (workouts). */
export function serveLookups(registry: RouteRegistry): void {
  registry.with(managerRules)(routes.listAvailablePosts, async (call) => {
    const { context, query } = call;
    if (context.kinds.get(query.postType)?.hasPage !== true) {
      return failure(400, { error: `Unknown content type "${query.postType}".` });
    }
    const search = query.search.trim();
    const rows = await context.store.db
      .select({ id: content.id, title: content.title, slug: content.slug })
      .from(content)
      .where(
        and(
          eq(content.type, query.postType),
          eq(content.status, 'publish'),
          eq(content.password, ''),
          not(hasNoindexSetting()),
          search === '' ? undefined : matchesTerm(content.title, search),
        ),
      )
      .orderBy(desc(content.modified), desc(content.id))
      .limit(MAX_AVAILABLE);
    return item(rows.map((row) => ({ ...row, title: decodeHtml(row.title) })));
  });
  registry.with({ ...requireRights('manage_options'), isKept: false })(routes.getFileSize, async (call) => {
    const { context, query, addresses } = call;
    const path = uploadPath(decodePercent(query.url), addresses.site);
    if (path === undefined)
      return failure(404, { type: 'failure', response: 'The address is not an upload of this site.' });
    const file = await context.files.uploads.open(path);
    const bytes = file?.bytes ?? 0;
    await file?.close();
    if (bytes === 0) return failure(404, { type: 'failure', response: 'The file is missing or empty.' });
    return item({ type: 'success', size_in_bytes: bytes });
  });
  registry.with({ permit: authorizeMeta })(routes.searchMeta, async (call) => {
    const { post_id: id = 0, query } = call.query;
    const row = await loadContent(call, id);
    const found = Object.entries(row?.meta ?? {}).filter(([key]) =>
      query === '' ? !key.startsWith('_') : key.startsWith(query),
    );
    return item({ meta: found.slice(0, MAX_META).map(([key, value]) => ({ key, value })) });
  });
  const serveWorkouts = registry.with(requireRights('edit_others_posts'));
  // Lists cornerstone texts with the fewest incoming links first, and texts without any, newest first.
  serveWorkouts(routes.getWorkouts, async (call) => {
    const stored = storedWorkouts.parse(await readOption(call.context.store.db, OPTION));
    if (!call.query.items) return item({ json: stored });
    const { texts } = await loadLinks(call.context);
    const cornerstone = texts
      .filter(({ meta }) => parseSettingsMeta(meta).is_cornerstone)
      .toSorted((a, b) => a.incoming_link_count - b.incoming_link_count || a.id - b.id);
    const orphaned = texts
      .filter((text) => text.incoming_link_count === 0)
      .toSorted((a, b) => b.date.localeCompare(a.date) || b.id - a.id);
    return item({ json: { ...stored, items: { cornerstone: present(cornerstone), orphaned: present(orphaned) } } });
  });
  serveWorkouts(routes.saveWorkouts, async (call) => {
    const { context, body } = call;
    const values = Object.fromEntries(Object.entries(body).filter(([, workout]) => workout !== undefined));
    await retryTransaction(context.store.db, async (tx) => {
      const value = { ...storedWorkouts.parse(await lockOption(tx, OPTION)), ...values };
      await storeOption(tx, OPTION, value);
    });
    return item({ json: true });
  });
}

/** Returns the path of an upload below the uploads folder; undefined for other addresses and path traversal. */
function uploadPath(address: string, site: string): string | undefined {
  const url = URL.parse(address);
  const base = URL.parse(`${site}/uploads/`);
  if (!url || !base || url.host !== base.host || !url.pathname.startsWith(base.pathname)) return undefined;
  const encoded = url.pathname.slice(base.pathname.length);
  const path = decodePercent(encoded);
  const isPlain = !/[\0\\]/.test(path) && path.split('/').every((part) => part !== '' && !part.startsWith('.'));
  return isPlain ? path : undefined;
}

async function authorizeMeta(call: Call<typeof routes.searchMeta>): Promise<void> {
  const { caller, query, refuse } = call;
  const forbidden = () => refuse('rest_forbidden', 'You are not allowed to edit this content.');
  if (!caller.user || query.post_id === undefined) throw forbidden();
  const row = await loadContent(call, query.post_id);
  if (!row) throw refuse('rest_post_invalid_id', 'There is no content with this id.');
  if (!canEdit(row, caller)) throw forbidden();
}

/** Loads a row of content. Revisions are excluded. */
function loadContent({ context, memo }: AnyCall, id: number): Promise<ContentRow | undefined> {
  return memo.once(`content ${id}`, async () => {
    const types = [...context.kinds.keys()];
    const [row] = await context.store.db
      .select()
      .from(content)
      .where(and(eq(content.id, id), inArray(content.type, types)));
    return row;
  });
}

const MAX_ITEMS = 100;
/** Separate from the SEO options, which are loaded for every head. */
const OPTION = 'seo-workouts';
const storedWorkouts = routes.workouts.catch({ configuration: { finishedSteps: [] } });

function present(texts: readonly routes.LinkedItem[]): routes.LinkedItem[] {
  return texts.slice(0, MAX_ITEMS).map(({ id, type, title, url, incoming_link_count }) => {
    return { id, type, title: decodeHtml(title), url, incoming_link_count };
  });
}
