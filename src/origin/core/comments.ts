import { inArray } from 'drizzle-orm';
import { getComment, listComments, type Context } from '../../contracts/core/index.ts';
import { can } from '../publishing/callers/index.ts';
import { collection, refuse, RestError, type AnyCall, type RouteRegistry } from '../publishing/transport/index.ts';
import { content } from '../store/schema.ts';
import { mayRead } from './content/content-rights.ts';
import { loadAncestors } from './store/load-ancestors.ts';

/**
 * Serves comments as far as the links of posts lead to them. The catalogue is built from the interface and takes no
 * comments, so there are none: who may look at those of a post is answered all the same.
 */
export function serveComments(registry: RouteRegistry): void {
  registry.serve(listComments, ({ query: { page, per_page: perPage } }) => collection([], 0, { page, perPage }), {
    async permit(call) {
      refuseEditors(call);
      await refuseUnreadable(call, call.query.post);
    },
  });
  registry.serve(
    getComment,
    () => {
      throw noComment();
    },
    {
      permit() {
        throw noComment();
      },
    },
  );
}

function refuseEditors({ caller, query }: AnyCall & { query: { context: Context } }): void {
  if (query.context === 'edit' && !can(caller, 'moderate_comments'))
    throw refuse(caller, 'rest_forbidden_context', 'You may not see comments as their moderators do.');
}

async function refuseUnreadable({ caller, context }: AnyCall, postIds: readonly number[]): Promise<void> {
  const wanted = postIds.filter((id) => id !== 0);
  if (wanted.length < postIds.length && !can(caller, 'moderate_comments'))
    throw refuse(caller, 'rest_cannot_read', 'You may not see comments that are about nothing.');
  if (wanted.length === 0) return;
  const rows = await context.store.db.select().from(content).where(inArray(content.id, wanted));
  const ancestors = await loadAncestors(context.store.db, rows);
  if (rows.every((row) => mayRead(row, caller, ({ parentId }) => ancestors.get(parentId)))) return;
  throw refuse(caller, 'rest_cannot_read_post', 'You may not see what these comments are about.');
}

function noComment(): RestError {
  return new RestError('rest_comment_invalid_id', 404, 'There is no comment under this id.');
}
