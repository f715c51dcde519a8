import { and, inArray, ne } from 'drizzle-orm';
import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { mayEdit, mayRead, type FindParent } from '#origin/platform/content/content-rights.ts';
import { ANCESTOR_COLUMNS, loadAncestors, type Ancestor } from '#origin/platform/content/load-ancestors.ts';
import type { CommentRow } from './find-comments.ts';

/** What comments can be about, as far as they need to know it. */
export type Thread = Ancestor & Pick<ContentRow, 'password' | 'commentStatus'>;

/** Threads by the id of their post, page or medium. */
export interface Threads {
  byId: ReadonlyMap<number, Thread>;
  ancestors: ReadonlyMap<number, Ancestor>;
}

/** What some comments are about; ids of nothing, or of a revision, are not in it. */
export async function loadThreads(db: Database, ids: readonly number[]): Promise<Threads> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return { byId: new Map(), ancestors: new Map() };
  const rows: Thread[] = await db
    .select({ ...ANCESTOR_COLUMNS, password: content.password, commentStatus: content.commentStatus })
    .from(content)
    .where(and(inArray(content.id, wanted), ne(content.type, 'revision')));
  return { byId: new Map(rows.map((row) => [row.id, row])), ancestors: await loadAncestors(db, rows) };
}

/** Whoever may read it may read what is said about it; behind a password only who gives it, or may edit. */
export function mayReadThread(thread: Thread, caller: Caller, threads: Threads, password: string | undefined): boolean {
  const parentOf: FindParent = ({ parentId }) => threads.ancestors.get(parentId);
  const isLocked = thread.password !== '' && thread.password !== password;
  return isLocked ? mayEdit(thread, caller, parentOf) : mayRead(thread, caller, parentOf);
}

/** Approved ones are for all, the others for moderators and for who wrote them. */
export function mayReadComment({ status, authorId }: CommentRow, caller: Caller): boolean {
  return status === 'approved' || isModerator(caller) || (caller.user !== undefined && caller.user.id === authorId);
}

export function isModerator(caller: Caller): boolean {
  return can(caller, 'moderate_comments');
}
