import { and, eq, inArray, ne, not, notInArray, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { isAllowed, type Caller, can } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { ContentAction, ContentRow, ContentKind } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { Context } from '#contracts/core/field.ts';

/** Fields of a row that determine the rights to it. */
export type RightsRow = Pick<ContentRow, 'id' | 'type' | 'status' | 'statusBeforeTrash' | 'authorId' | 'parentId'>;

/** Finds the parent of a row. */
export type FindParent = (row: RightsRow) => RightsRow | undefined;

const noParent: FindParent = () => undefined;

/**
 * Returns true if the caller may read a row.
 *
 * Published rows are public. Private rows require their author or the right to read them. Media inherit from their
 * parent. Other rows require the right to edit them.
 */
export function canRead(row: RightsRow, caller: Caller, parentOf: FindParent = noParent): boolean {
  if (row.status === 'publish') return true;
  if (row.status === 'private') return isOwn(row, caller) || isAllowed(caller, row.type, 'readPrivate');
  if (row.status === 'inherit') {
    const owner = parentOf(row);
    return owner === undefined || owner.id === row.id || canRead(owner, caller, parentOf);
  }
  return canEdit(row, caller, parentOf);
}

export function canEdit(row: RightsRow, caller: Caller, parentOf: FindParent = noParent): boolean {
  return canChange(row, caller, parentOf, ['edit', 'editOthers', 'editPublished', 'editPrivate']);
}

export function canDelete(row: RightsRow, caller: Caller, parentOf: FindParent = noParent): boolean {
  return canChange(row, caller, parentOf, ['delete', 'deleteOthers', 'deletePublished', 'deletePrivate']);
}

/**
 * Own rows require the basic right. Others' rows, published rows and others' private rows each require a further right.
 */
function canChange(
  row: RightsRow,
  caller: Caller,
  parentOf: FindParent,
  [plain, othersAction, published, priv]: readonly [ContentAction, ContentAction, ContentAction, ContentAction],
): boolean {
  const isAllowedTo = (action: ContentAction) => isAllowed(caller, row.type, action);
  const inherited = row.status === 'inherit' ? (parentOf(row)?.status ?? 'publish') : row.status;
  // Trashing a row must not extend any user's rights to it.
  const status = inherited === 'trash' && row.statusBeforeTrash !== '' ? row.statusBeforeTrash : inherited;
  const isPublished = status === 'publish' || status === 'future';
  if (isOwn(row, caller)) return isAllowedTo(isPublished ? published : plain);
  return (
    isAllowedTo(othersAction) && (!isPublished || isAllowedTo(published)) && (status !== 'private' || isAllowedTo(priv))
  );
}

function isOwn(row: RightsRow, caller: Caller): boolean {
  return caller.user !== undefined && caller.user.id === row.authorId;
}

/** Authorizes a list. The edit context requires the right to edit this kind of content. */
export function authorizeList(
  kind: ContentKind,
): (call: AnyCall<'rest_forbidden_context'> & { query: { context: Context } }) => void {
  return ({ query, caller, refuse }) => {
    if (query.context === 'edit' && !can(caller, kind.rights.edit))
      throw refuse('rest_forbidden_context', 'You are not allowed to view these items in the edit context.');
  };
}

/** Content columns under the table's name or an alias. */
type Rows = Readonly<Record<'id' | 'type' | 'status' | 'statusBeforeTrash' | 'authorId' | 'parentId', SQLWrapper>>;
/** A boolean if the condition doesn't depend on the row. */
type Condition = SQL | boolean;

const PUBLISHED = ['publish', 'future'];
const parent: Rows = alias(content, 'parent');
const above: Rows = alias(content, 'above');

/**
 * SQL equivalent of `canRead`, for statements that list, count and search. Revisions require the
 * right to edit their row.
 */
export function isReadableBy(caller: Caller): SQL {
  const isRevision = eq(content.type, 'revision');
  const inherits = eq(content.status, 'inherit');
  return toSql(
    any(
      all(not(inherits), not(isRevision), isReadable(content, caller)),
      all(inherits, not(isRevision), isBelowReadable(caller)),
      all(isRevision, isStateOfEditable(caller)),
    ),
  );
}

/** The same for `canEdit`. An inherited status is that of the parent. */
export function isEditableBy(caller: Caller): SQL {
  const isRevision = eq(content.type, 'revision');
  const inherited = sql`(select ${parent.status} from ${content} parent where ${parent.id} = ${content.parentId})`;
  const status = sql`case when ${content.status} = 'inherit' then coalesce(${inherited}, 'publish') else ${content.status} end`;
  return toSql(
    any(all(not(isRevision), isChangeable(content, status, caller)), all(isRevision, isStateOfEditable(caller))),
  );
}

/** For rows that don't inherit their status. */
function isReadable(rows: Rows, caller: Caller): Condition {
  const privateTypes = actionsByType(caller).flatMap(([type, actions]) => (actions.has('readPrivate') ? [type] : []));
  const canReadPrivate = privateTypes.length > 0 && inArray(rows.type, privateTypes);
  return any(
    eq(rows.status, 'publish'),
    all(eq(rows.status, 'private'), any(isOwnRow(rows, caller), canReadPrivate)),
    all(notInArray(rows.status, ['publish', 'private']), isChangeable(rows, rows.status, caller)),
  );
}

/** True if no ancestor with its own status is hidden. Rows without parent are readable. */
function isBelowReadable(caller: Caller): SQL {
  const columns = sql`p.id, p.type, p.status, p.status_before_trash, p.author_id, p.parent_id`;
  const isHidden = not(toSql(isReadable(above, caller)));
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
    sql`exists (select 1 from ${content} parent where ${parent.id} = ${content.parentId} and ${toSql(isEditable)})`
  );
}

/**
 * Own rows require the basic right. Others' rows, published rows and others' private rows each require a further right.
 */
function isChangeable(rows: Rows, inherited: SQLWrapper, caller: Caller): Condition {
  const before = rows.statusBeforeTrash;
  // Trashing a row must not extend any user's rights to it.
  const status = sql`case when ${inherited} = 'trash' and ${before} <> '' then ${before} else ${inherited} end`;
  const isShown = inArray(status, PUBLISHED);
  return any(
    ...actionsByType(caller).map(([type, actions]) => {
      const isAllowedTo = (action: ContentAction) => actions.has(action);
      const ownCondition = any(all(isShown, isAllowedTo('editPublished')), all(not(isShown), isAllowedTo('edit')));
      const othersCondition = all(
        isAllowedTo('editOthers'),
        isAllowedTo('editPublished') || not(isShown),
        isAllowedTo('editPrivate') || ne(status, 'private'),
      );
      const isOwner = isOwnRow(rows, caller);
      return all(
        eq(rows.type, type),
        any(all(isOwner, ownCondition), all(isOwner === false || not(toSql(isOwner)), othersCondition)),
      );
    }),
  );
}

/** Actions of the caller by content type. Anonymous callers have none. */
function actionsByType({ permissions }: Caller): (readonly [string, ReadonlySet<ContentAction>])[] {
  return [...(permissions?.content ?? [])];
}

function isOwnRow(rows: Rows, { user }: Caller): Condition {
  return user !== undefined && sql`${rows.authorId} = ${user.id}`;
}

function all(...conditions: readonly Condition[]): Condition {
  if (conditions.includes(false)) return false;
  return and(...conditions.filter((condition) => typeof condition !== 'boolean')) ?? true;
}

function any(...conditions: readonly Condition[]): Condition {
  if (conditions.includes(true)) return true;
  return or(...conditions.filter((condition) => typeof condition !== 'boolean')) ?? false;
}

function toSql(condition: Condition): SQL {
  return typeof condition === 'boolean' ? sql.raw(String(condition)) : condition;
}
