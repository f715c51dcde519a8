import { and, eq, inArray, ne, not, notInArray, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias, PgDialect } from 'drizzle-orm/pg-core';
import type { Caller } from '#origin/platform/http/callers/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { ContentAction } from '#origin/platform/registry/content-kind.ts';

/** Who looks at rows, and as what: a reader sees what is shown, an editor only what they may change. */
export interface Viewer {
  caller: Caller;
  as: 'reader' | 'editor';
}

/** Rows of content in a statement, under the table's own name or another. */
type Rows = Readonly<Record<'id' | 'type' | 'status' | 'statusBeforeTrash' | 'authorId' | 'parentId', SQLWrapper>>;
/** What is known before any row is looked at is a boolean. */
type Condition = SQL | boolean;

const SHOWN = ['publish', 'future'];
const parent: Rows = alias(content, 'parent');
const above: Rows = alias(content, 'above');

/**
 * The rules of `mayRead` and `mayEdit` (content-rights.ts) as a condition on `content`, for statements that list, count
 * and search: what a caller may not see takes no part in them. A revision is for who may edit what it is a state of.
 */
export function visibleTo({ caller, as }: Viewer): SQL {
  return as === 'editor' ? editableBy(caller) : readableBy(caller);
}

export function readableBy(caller: Caller): SQL {
  return compiled('readable', caller, readable);
}

/** Where the status is inherited, that of the row above counts. */
export function editableBy(caller: Caller): SQL {
  return compiled('editable', caller, editable);
}

/** Stands for the caller's id in what is kept for all of a role. */
const CALLER_ID = '«caller»';
const dialect = new PgDialect();
/** What strangers may do is kept under this. */
const STRANGERS = {};
const texts = new WeakMap<object, Map<string, string>>();

/**
 * These conditions are long, and the query builder takes milliseconds to write one. They depend on nothing but the role
 * and the caller's id, so they are written once, values and all.
 */
function compiled(name: string, caller: Caller, write: (caller: Caller) => SQL): SQL {
  const { user, permissions } = caller;
  const key = permissions ?? STRANGERS;
  const ofRole = texts.get(key) ?? new Map<string, string>();
  texts.set(key, ofRole);
  const kind = `${name} ${user === undefined}`;
  const text = ofRole.get(kind) ?? dialect.sqlToQuery(write(caller).inlineParams()).sql;
  ofRole.set(kind, text);
  return sql.raw(user ? text.replaceAll(CALLER_ID, String(user.id)) : text);
}

function readable(caller: Caller): SQL {
  const isRevision = eq(content.type, 'revision');
  const inherits = eq(content.status, 'inherit');
  return written(
    any(
      all(not(inherits), not(isRevision), isReadable(content, caller)),
      all(inherits, not(isRevision), isBelowReadable(caller)),
      all(isRevision, isStateOfEditable(caller)),
    ),
  );
}

function editable(caller: Caller): SQL {
  const isRevision = eq(content.type, 'revision');
  const inherited = sql`(select ${parent.status} from ${content} parent where ${parent.id} = ${content.parentId})`;
  const status = sql`case when ${content.status} = 'inherit' then coalesce(${inherited}, 'publish') else ${content.status} end`;
  return written(
    any(all(not(isRevision), isChangeable(content, status, caller)), all(isRevision, isStateOfEditable(caller))),
  );
}

/** Of rows with a status of their own. */
function isReadable(rows: Rows, caller: Caller): Condition {
  const privateTypes = actionsByType(caller).flatMap(([type, actions]) => (actions.has('readPrivate') ? [type] : []));
  const mayReadPrivate = privateTypes.length > 0 && inArray(rows.type, privateTypes);
  return any(
    eq(rows.status, 'publish'),
    all(eq(rows.status, 'private'), any(isOwn(rows, caller), mayReadPrivate)),
    all(notInArray(rows.status, ['publish', 'private']), isChangeable(rows, rows.status, caller)),
  );
}

/** Nothing that it hangs on and that has a status of its own is hidden; what hangs on nothing is open. */
function isBelowReadable(caller: Caller): SQL {
  const columns = sql`p.id, p.type, p.status, p.status_before_trash, p.author_id, p.parent_id`;
  const isHidden = not(written(isReadable(above, caller)));
  return sql`(${content.parentId} = 0 or not exists (
    with recursive above as (
      select ${columns} from ${content} p where p.id = ${content.parentId}
      union
      select ${columns} from ${content} p join above on p.id = ${above.parentId} and ${above.status} = 'inherit'
    )
    select 1 from above where ${ne(above.status, 'inherit')} and ${isHidden}
  ))`;
}

function isStateOfEditable(caller: Caller): Condition {
  const isEditable = isChangeable(parent, parent.status, caller);
  return (
    isEditable !== false &&
    sql`exists (select 1 from ${content} parent where ${parent.id} = ${content.parentId} and ${written(isEditable)})`
  );
}

/** Own rows need the plain right, others' rows a further one; published and others' private ones one more each. */
function isChangeable(rows: Rows, inherited: SQLWrapper, caller: Caller): Condition {
  const before = rows.statusBeforeTrash;
  // The trash gives nobody rights that they did not have before.
  const status = sql`case when ${inherited} = 'trash' and ${before} <> '' then ${before} else ${inherited} end`;
  const isShown = inArray(status, SHOWN);
  return any(
    ...actionsByType(caller).map(([type, actions]) => {
      const may = (action: ContentAction) => actions.has(action);
      const own = any(all(isShown, may('editPublished')), all(not(isShown), may('edit')));
      const others = all(
        may('editOthers'),
        may('editPublished') || not(isShown),
        may('editPrivate') || ne(status, 'private'),
      );
      const isMine = isOwn(rows, caller);
      return all(eq(rows.type, type), any(all(isMine, own), all(isMine === false || not(written(isMine)), others)));
    }),
  );
}

/** What the caller may do with rows of each type; strangers may do nothing. */
function actionsByType({ permissions }: Caller): (readonly [string, ReadonlySet<ContentAction>])[] {
  return [...(permissions?.content ?? [])];
}

function isOwn(rows: Rows, { user }: Caller): Condition {
  return user !== undefined && sql`${rows.authorId} = ${sql.raw(CALLER_ID)}`;
}

function all(...conditions: readonly Condition[]): Condition {
  if (conditions.includes(false)) return false;
  return and(...conditions.filter((condition) => typeof condition !== 'boolean')) ?? true;
}

function any(...conditions: readonly Condition[]): Condition {
  if (conditions.includes(true)) return true;
  return or(...conditions.filter((condition) => typeof condition !== 'boolean')) ?? false;
}

function written(condition: Condition): SQL {
  return typeof condition === 'boolean' ? sql.raw(String(condition)) : condition;
}
