import { and, asc, desc, eq, isNotNull } from 'drizzle-orm';
import { decodeHtml } from '#contracts/html/html-text.ts';
import { getWorkouts, saveWorkouts, workouts, type LinkedItem, type Workouts } from '#contracts/seo/state.ts';
import { item, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { lockOption, storeOption } from '#origin/platform/store/lock-option.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { content, option } from '#origin/platform/store/schema.ts';
import { requireRights } from '../authorize.ts';
import { seoRecord } from '../records/tables.ts';

const MAX_ITEMS = 100;
/** Separate from the SEO options, which are loaded for every head. */
const OPTION = 'seo-workouts';
const storedWorkouts = workouts.catch({ configuration: { finishedSteps: [] } });

/** Serves workouts: guided reviews of cornerstone and orphaned texts. */
export function serveWorkouts(registry: RouteRegistry): void {
  const rules = requireRights('edit_others_posts');
  registry.serve(
    getWorkouts,
    async (call) => {
      const stored = await readWorkouts(call);
      if (!call.query.items) return item({ json: stored });
      const items = { cornerstone: await listCornerstones(call), orphaned: await listOrphans(call) };
      return item({ json: { ...stored, items } });
    },
    rules,
  );
  registry.serve(
    saveWorkouts,
    async (call) => {
      const values = Object.fromEntries(Object.entries(call.body).filter(([, workout]) => workout !== undefined));
      await changeWorkouts(call, values);
      return item({ json: true });
    },
    rules,
  );
}

async function readWorkouts({ context }: AnyCall): Promise<Workouts> {
  const [row] = await context.store.db.select().from(option).where(eq(option.name, OPTION)).limit(1);
  return storedWorkouts.parse(row?.value ?? {});
}

async function changeWorkouts({ context }: AnyCall, values: Partial<Workouts>): Promise<void> {
  await retryTransaction(context.store.db, async (tx) => {
    const value = { ...storedWorkouts.parse(await lockOption(tx, OPTION)), ...values };
    await storeOption(tx, OPTION, value);
  });
}

/** Lists cornerstone texts, those with the fewest incoming links first. */
export async function listCornerstones(call: AnyCall): Promise<LinkedItem[]> {
  const rows = await selectPublic(call)
    .where(and(isPublicText, eq(seoRecord.isCornerstone, true)))
    .orderBy(asc(seoRecord.incomingLinkCount), asc(content.id))
    .limit(MAX_ITEMS);
  return rows.map((row) => present(row, call));
}

/** Lists texts without incoming links, newest first. */
export async function listOrphans(call: AnyCall): Promise<LinkedItem[]> {
  const rows = await selectPublic(call)
    .where(and(isPublicText, eq(seoRecord.incomingLinkCount, 0)))
    .orderBy(desc(content.date), desc(content.id))
    .limit(MAX_ITEMS);
  return rows.map((row) => present(row, call));
}

const isPublicText = and(
  eq(seoRecord.type, 'post'),
  eq(seoRecord.isPublic, true),
  isNotNull(seoRecord.path),
  eq(content.status, 'publish'),
);

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
