import { and, desc, eq, inArray, not } from 'drizzle-orm';
import { decodeHtml } from '#contracts/html/html-text.ts';
import { getFileSize, listAvailablePosts, searchMeta } from '#contracts/seo/state.ts';
import { canEdit } from '#origin/platform/content/content-rights.ts';
import { failure, item, type ResultOf, type AnyCall, type Call } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { matchesTerm } from '#origin/platform/search/search-condition.ts';
import { content } from '#origin/platform/store/schema.ts';
import { managerRules, requireRights } from '../authorize.ts';
import { hasNoindexSetting } from '../object-settings.ts';

const MAX_AVAILABLE = 100;
const MAX_META = 25;

/** Serves lookups for editors: available content, meta fields, and file sizes. */
export function serveLookups(registry: RouteRegistry): void {
  registry.serve(listAvailablePosts, listAvailable, managerRules);
  registry.serve(getFileSize, getSize, { ...requireRights('manage_options'), isKept: false });
  registry.serve(searchMeta, findMeta, { permit: authorizeMeta });
}

async function listAvailable(call: Call<typeof listAvailablePosts>): Promise<ResultOf<typeof listAvailablePosts>> {
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
}

/** Returns the size of an upload of this site. */
async function getSize({ context, query, addresses }: Call<typeof getFileSize>): Promise<ResultOf<typeof getFileSize>> {
  const path = uploadPath(decode(query.url), addresses.site);
  if (path === undefined)
    return failure(404, { type: 'failure', response: 'The address is not an upload of this site.' });
  const file = await context.files.uploads.open(path);
  const bytes = file?.bytes ?? 0;
  await file?.close();
  if (bytes === 0) return failure(404, { type: 'failure', response: 'The file is missing or empty.' });
  return item({ type: 'success', size_in_bytes: bytes });
}

/** Returns the path of an upload below the uploads folder; undefined for other addresses and path traversal. */
function uploadPath(address: string, site: string): string | undefined {
  const url = URL.parse(address);
  const base = URL.parse(`${site}/uploads/`);
  if (!url || !base || url.host !== base.host || !url.pathname.startsWith(base.pathname)) return undefined;
  const path = decode(url.pathname.slice(base.pathname.length));
  const isPlain = !/[\0\\]/.test(path) && path.split('/').every((part) => part !== '' && !part.startsWith('.'));
  return isPlain ? path : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function authorizeMeta(call: Call<typeof searchMeta>): Promise<void> {
  const { caller, query, refuse } = call;
  const forbidden = () => refuse('rest_forbidden', 'You are not allowed to edit this content.');
  if (!caller.user || query.post_id === undefined) throw forbidden();
  const row = await loadContent(call, query.post_id);
  if (!row) throw refuse('rest_post_invalid_id', 'There is no content with this id.');
  if (!canEdit(row, caller)) throw forbidden();
}

async function findMeta(call: Call<typeof searchMeta>): Promise<ResultOf<typeof searchMeta>> {
  const { post_id: id = 0, query } = call.query;
  const row = await loadContent(call, id);
  const found = Object.entries(row?.meta ?? {}).filter(([key]) =>
    query === '' ? !key.startsWith('_') : key.startsWith(query),
  );
  return item({ meta: found.slice(0, MAX_META).map(([key, value]) => ({ key, value })) });
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
