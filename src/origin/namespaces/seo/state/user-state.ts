import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { requireUser } from '#origin/platform/http/transport/require-user.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { lockObjectMeta } from '../records/object-settings.ts';
import { seoObjectSettings } from '../records/tables.ts';

/** Key of the state in the object settings of the user. */
const KEY = 'state';

/** Dismissed alerts, seen hints and permissions of a user. Invalid values are treated as missing. */
const userState = z.object({
  alerts: z.array(z.string()).catch([]),
  /** Seen hints by ID; times are Unix seconds. */
  introductions: z.record(z.string(), z.object({ is_seen: z.boolean(), seen_on: z.int() })).catch({}),
  video_embed_permission: z.boolean().catch(false),
  planner_banner_dismissed: z.boolean().catch(false),
});
export type UserState = z.output<typeof userState>;

export async function readUserState({ context, caller }: AnyCall): Promise<UserState> {
  const [row] = await context.store.db
    .select()
    .from(seoObjectSettings)
    .where(isStateOfUser(requireUser(caller).id))
    .limit(1);
  return parseState(row?.meta);
}

/** Changes the state of the caller. `change` receives the stored state. */
export async function updateUserState(
  { context, caller }: AnyCall,
  change: (stored: UserState) => Partial<UserState>,
): Promise<void> {
  const { id } = requireUser(caller);
  await retryTransaction(context.store.db, async (tx) => {
    const lockedMeta = await lockObjectMeta(tx, 'user', id);
    const stored = parseState(lockedMeta);
    const meta = { ...lockedMeta, [KEY]: JSON.stringify({ ...stored, ...change(stored) }) };
    await tx.update(seoObjectSettings).set({ meta }).where(isStateOfUser(id));
  });
}

function isStateOfUser(id: number) {
  return and(eq(seoObjectSettings.type, 'user'), eq(seoObjectSettings.objectId, id));
}

function parseState(meta: Readonly<Record<string, string>> | undefined): UserState {
  try {
    return userState.parse(JSON.parse(meta?.[KEY] ?? '{}'));
  } catch {
    return userState.parse({});
  }
}
