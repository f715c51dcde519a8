import { eq } from 'drizzle-orm';
import { decodeHtml } from '#contracts/html/html-text.ts';
import { parseSettingsMeta } from '#contracts/seo/settings.ts';
import { getWorkouts, saveWorkouts, workouts, type LinkedItem, type Workouts } from '#contracts/seo/state.ts';
import { item, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { lockOption, storeOption } from '#origin/platform/store/lock-option.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { option } from '#origin/platform/store/schema.ts';
import { requireRights } from '../authorize.ts';
import { loadLinks, type LinkedText } from '../links.ts';

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
      const { texts } = await loadLinks(call.context);
      const items = { cornerstone: listCornerstones(texts), orphaned: listOrphans(texts) };
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
function listCornerstones(texts: readonly LinkedText[]): LinkedItem[] {
  return texts
    .filter(({ meta }) => parseSettingsMeta(meta).is_cornerstone)
    .toSorted((a, b) => a.incoming_link_count - b.incoming_link_count || a.id - b.id)
    .slice(0, MAX_ITEMS)
    .map(present);
}

/** Lists texts without incoming links, newest first. */
function listOrphans(texts: readonly LinkedText[]): LinkedItem[] {
  return texts
    .filter((text) => text.incoming_link_count === 0)
    .toSorted((a, b) => b.date.localeCompare(a.date) || b.id - a.id)
    .slice(0, MAX_ITEMS)
    .map(present);
}

function present({ id, type, title, url, incoming_link_count }: LinkedText): LinkedItem {
  return { id, type, title: decodeHtml(title), url, incoming_link_count };
}
