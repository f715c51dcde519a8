import type { getMe, getUser } from '#contracts/core/index.ts';
import type { UserRow } from '#origin/platform/accounts/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { item, type AnswerOf, type Call } from '#origin/platform/http/transport/index.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { findUsers } from './find-users.ts';
import { loadUser } from './load-user.ts';
import { mayEditUser } from './permit-user-writing.ts';
import { signedIn } from '#origin/platform/http/transport/signed-in.ts';
import { presentUser } from './present-user.ts';

type UserItemCall = Call<typeof getUser>;

/** Everybody may see who has published something; others are seen by themselves and by who manages users. */
export async function permitUser(call: UserItemCall): Promise<void> {
  const { caller, params, query } = call;
  const row = await loadUser(call, params.id);
  const mayEdit = mayEditUser(row, caller);
  if (query.context === 'edit' && !mayEdit)
    throw call.refuse('rest_forbidden_context', 'You may not see users as their editors do.');
  if (!mayEdit && !can(caller, 'list_users') && !(await hasPublished(call, row)))
    throw call.refuse('rest_user_cannot_view', 'You may not see this user.');
}

/** One user. */
export async function answerUser(call: UserItemCall): Promise<AnswerOf<typeof getUser>> {
  const row = await loadUser(call, call.params.id);
  return item(presentUser(row, { call, context: call.query.context, site: await loadSite(call) }));
}

/** The caller. */
export async function answerMe(call: Call<typeof getMe>): Promise<AnswerOf<typeof getMe>> {
  const row = signedIn(call.caller);
  return item(presentUser(row, { call, context: call.query.context, site: await loadSite(call) }));
}

async function hasPublished(call: UserItemCall, { id }: UserRow): Promise<boolean> {
  const filter = { ids: [id], publishedTypes: ['post', 'page'], searchColumns: [] } as const;
  const order = { by: 'id', direction: 'asc' } as const;
  const { total } = await findUsers(call.context.store.db, filter, order, { limit: 1, offset: 0 });
  return total > 0;
}
