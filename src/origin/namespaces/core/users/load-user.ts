import { eq } from 'drizzle-orm';
import type { UserRow } from '#origin/platform/accounts/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { user } from '#origin/platform/store/schema.ts';

/** The user of an id, loaded once for permission and answer. @throws when there is none */
export function loadUser({ context, memo, refuse }: AnyCall<'rest_user_invalid_id'>, id: number): Promise<UserRow> {
  return memo.once(userKey(id), async () => {
    const [row] = await context.store.db.select().from(user).where(eq(user.id, id)).limit(1);
    if (!row) throw refuse('rest_user_invalid_id', 'There is no user under this id.');
    return row;
  });
}

/** After a write: the next to ask for the user gets them as they are now. */
export function forgetUser({ memo }: Pick<AnyCall, 'memo'>, id: number): void {
  memo.forget(userKey(id));
}

function userKey(id: number): string {
  return `user ${id}`;
}
