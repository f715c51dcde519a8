import { and, asc, desc, eq } from 'drizzle-orm';
import { decodeHtml } from '#contracts/html/index.ts';
import { getWorkouts, saveWorkouts, type LinkedItem } from '#contracts/seo/index.ts';
import { item, type AnyCall, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import { changeSeoOptions, loadSeoOptions } from '../options.ts';
import { needs } from '../permit.ts';
import { seoRecord } from '../records/tables.ts';

const MAX_ITEMS = 100;

/** Serves guided work on the site: which texts matter most, and which are linked from nowhere. */
export function serveWorkouts(registry: RouteRegistry): void {
  const rules = needs('edit_others_posts');
  registry.serve(
    getWorkouts,
    async (call) => {
      const { workouts } = await loadSeoOptions(call);
      if (!call.query.items) return item({ json: workouts });
      const items = { cornerstone: await listCornerstones(call), orphaned: await listOrphans(call) };
      return item({ json: { ...workouts, items } });
    },
    rules,
  );
  registry.serve(
    saveWorkouts,
    async (call) => {
      const sent = Object.fromEntries(Object.entries(call.body).filter(([, workout]) => workout !== undefined));
      await changeSeoOptions(call, ({ workouts }) => ({ workouts: { ...workouts, ...sent } }));
      return item({ json: true });
    },
    rules,
  );
}

/** Texts that editors have marked as the most important ones, those with the fewest links first. */
export async function listCornerstones(call: AnyCall): Promise<LinkedItem[]> {
  const rows = await selectPublic(call)
    .where(and(isShown, eq(seoRecord.isCornerstone, true)))
    .orderBy(asc(seoRecord.incomingLinkCount), asc(content.id))
    .limit(MAX_ITEMS);
  return rows.map((row) => present(row, call));
}

/** Texts that no other text of the site links to, the newest first. */
export async function listOrphans(call: AnyCall): Promise<LinkedItem[]> {
  const rows = await selectPublic(call)
    .where(and(isShown, eq(seoRecord.incomingLinkCount, 0)))
    .orderBy(desc(content.date), desc(content.id))
    .limit(MAX_ITEMS);
  return rows.map((row) => present(row, call));
}

const isShown = and(eq(seoRecord.type, 'post'), eq(seoRecord.isPublic, true), eq(content.status, 'publish'));

function selectPublic({ context }: AnyCall) {
  return context.store.db
    .select({
      id: content.id,
      type: content.type,
      title: content.title,
      path: seoRecord.path,
      incoming_link_count: seoRecord.incomingLinkCount,
    })
    .from(seoRecord)
    .innerJoin(content, eq(content.id, seoRecord.objectId));
}

function present({ path, title, ...row }: Omit<LinkedItem, 'url'> & { path: string | null }, { addresses }: AnyCall) {
  return { ...row, title: decodeHtml(title), url: `${addresses.site}${path ?? '/'}` };
}
