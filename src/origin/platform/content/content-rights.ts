import { and, eq, inArray, ne, not, notInArray, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { Context } from '#contracts/core/field.ts';
import type { pageBody, postBody } from '#contracts/core/post.ts';
import type { createPost, getPost, updatePost } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { splitList } from '#contracts/wire.ts';
import type { Memo } from '#origin/platform/context/origin-context.ts';
import { isAllowed, type Caller, can } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall, CheckContext, ParameterCheck } from '#origin/platform/http/transport/call.ts';
import { formatList } from '#origin/platform/http/transport/describe-parameter.ts';
import { deniedStatus, type RestError } from '#origin/platform/http/transport/rest-error.ts';
import type { ContentAction, ContentRow, ContentKind } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadAncestors } from './content-url.ts';
import { findRow as findResourceRow } from './resources/resource.ts';

/** Fields of a row that determine the rights to it. */
export type RightsRow = Pick<ContentRow, 'id' | 'type' | 'status' | 'statusBeforeTrash' | 'authorId' | 'parentId'>;

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
  if (row.status === 'private') return caller.user?.id === row.authorId || isAllowed(caller, row.type, 'readPrivate');
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
  const { user, permissions } = caller;
  const actions = permissions?.content.get(row.type);
  if (!actions) return false;
  const inherited = row.status === 'inherit' ? (parentOf(row)?.status ?? 'publish') : row.status;
  // Trashing a row must not extend any user's rights to it.
  const status = inherited === 'trash' && row.statusBeforeTrash !== '' ? row.statusBeforeTrash : inherited;
  const isPublished = status === 'publish' || status === 'future';
  if (user?.id === row.authorId) return actions.has(isPublished ? published : plain);
  return (
    actions.has(othersAction) && (!isPublished || actions.has(published)) && (status !== 'private' || actions.has(priv))
  );
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

/** Condition of a list: rows that the caller may read, or edit in the edit context. */
export function isVisibleTo(caller: Caller, context: Context): SQL {
  return context === 'edit' ? isEditableBy(caller) : isReadableBy(caller);
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
    ...[...Map.groupBy(actionsByType(caller), ([, actions]) => [...actions].join())].map(([, kinds]) => {
      const isAllowedTo = (action: ContentAction) => kinds.some(([, actions]) => actions.has(action));
      const ownCondition =
        (isAllowedTo('editPublished') && isAllowedTo('edit')) ||
        any(all(isShown, isAllowedTo('editPublished')), all(not(isShown), isAllowedTo('edit')));
      const othersCondition = all(
        isAllowedTo('editOthers'),
        isAllowedTo('editPublished') || not(isShown),
        isAllowedTo('editPrivate') || ne(status, 'private'),
      );
      const isOwner = isOwnRow(rows, caller);
      return all(
        inArray(
          rows.type,
          kinds.map(([type]) => type),
        ),
        (ownCondition === true && othersCondition === true) ||
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

type Kind = Pick<ContentKind, 'type'>;

/** Finds a row by ID, loaded once for authorization and handler. Undefined if it doesn't exist. */
export function findRow(
  call: Pick<AnyCall, 'context' | 'memo'> & { requestMemo?: Memo },
  { type }: Kind,
  id: number,
): Promise<ContentRow | undefined> {
  const rows = { table: content, kind: eq(content.type, type), path: type };
  return findResourceRow({ requestMemo: call.memo, ...call }, rows, id);
}

/** Loads a row by ID. @throws RestError if it doesn't exist */
export async function loadRow(call: AnyCall<'rest_post_invalid_id'>, kind: Kind, id: number): Promise<ContentRow> {
  const row = await findRow(call, kind, id);
  if (!row) throw call.refuse('rest_post_invalid_id', 'No item with this ID.');
  return row;
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

export type ItemCall = AnyCall<'rest_post_invalid_id'> & {
  params: { id: number };
  query: { context: Context; password?: string | undefined; excerpt_length?: number | undefined };
};

/** Authorizes reading an item. Checks in order: the ID, the edit context, the password, and read access. */
export function authorizeItem(
  kind: ContentKind,
): (call: ItemCall & AnyCall<RouteErrors<typeof getPost>>) => Promise<void> {
  return async (call) => {
    const { caller, query } = call;
    const row = await loadRow(call, kind, call.params.id);
    const ancestors = await loadAncestors(call.context.store.db, [row], call.requestMemo);
    const parentOf = ({ parentId }: { parentId: number }) => ancestors.get(parentId);
    if (query.context === 'edit' && !canEdit(row, caller, parentOf))
      throw call.refuse('rest_forbidden_context', 'You are not allowed to view this item in the edit context.');
    // A password in the query must be correct for every caller, even if the row has none.
    const isSent = query.password && call.sources.get('password')?.source === 'query';
    if (isSent && query.password !== row.password)
      throw call.refuse('rest_post_incorrect_password', 'Incorrect post password.');
    if (!canRead(row, caller, parentOf)) throw call.refuse('rest_forbidden', 'You are not allowed to view this item.');
  };
}

/** Input for writing content. Each kind supports a part of it and may add fields. */
export type ContentInput = Partial<z.output<typeof postBody> & z.output<typeof pageBody>> & Record<string, unknown>;

/** Calls that create and update content. */
export type WritingCall = AnyCall<RouteErrors<typeof createPost>> & { body: ContentInput };

export type WritingItemCall = AnyCall<RouteErrors<typeof updatePost>> & {
  body: ContentInput;
  params: { id: number };
};

/**
 * Authorizes creation. Requires the right to edit this kind, and for another author the right to edit others' rows.
 */
export function authorizeCreation(kind: ContentKind): (call: WritingCall) => void {
  return (call) => {
    const { caller, others: undeclared } = call;
    const id = undeclared['id'];
    if (id !== undefined && id !== '' && Number(id) !== 0)
      throw call.refuse('rest_post_exists', 'A new item can not have an ID.');
    rejectForeignFields(call, kind);
    if (!can(caller, kind.rights.edit))
      throw call.refuse('rest_cannot_create', 'You are not allowed to create this item.');
    rejectTerms(call, kind);
  };
}

/** Checks the ID, then the right to edit the row, then the rights for the changed fields. */
export function authorizeUpdate(kind: ContentKind): (call: WritingItemCall) => Promise<void> {
  return async (call) => {
    const row = await loadRow(call, kind, call.params.id);
    if (!canEdit(row, call.caller)) throw createCannotEditError(call);
    rejectForeignFields(call, kind);
    rejectTerms(call, kind);
  };
}

export function authorizeDeletion(
  kind: ContentKind,
): (call: AnyCall<'rest_post_invalid_id' | 'rest_cannot_delete'> & { params: { id: number } }) => Promise<void> {
  return async (call) => {
    const row = await loadRow(call, kind, call.params.id);
    if (!canDelete(row, call.caller)) throw createCannotDeleteError(call);
  };
}

export function createCannotEditError({ refuse }: Pick<AnyCall<'rest_cannot_edit'>, 'refuse'>): RestError {
  return refuse('rest_cannot_edit', 'You are not allowed to edit this item.');
}

export function createCannotDeleteError({ refuse }: AnyCall<'rest_cannot_delete'>): RestError {
  return refuse('rest_cannot_delete', 'You are not allowed to delete this item.');
}

export function rejectForeignAuthor(
  { caller, body, refuse }: AnyCall<'rest_cannot_edit_others'> & { body: { author?: number | undefined } },
  { rights }: ContentKind,
): void {
  if (body.author && body.author !== caller.user?.id && !can(caller, rights.editOthers))
    throw refuse('rest_cannot_edit_others', 'You are not allowed to write as another user.');
}

function rejectForeignFields(call: WritingCall, kind: ContentKind): void {
  const { caller, body, refuse } = call;
  const { rights } = kind;
  rejectForeignAuthor(call, kind);
  if (body.sticky === true && !can(caller, rights.editOthers) && !can(caller, rights.publish))
    throw refuse('rest_cannot_assign_sticky', 'You are not allowed to make this item sticky.');
}

function rejectTerms({ caller, body, refuse }: WritingCall, { terms }: ContentKind): void {
  if (terms.some(({ parameter }) => body[parameter] !== undefined) && !can(caller, 'edit_posts'))
    throw refuse('rest_cannot_assign_term', 'You are not allowed to assign terms.');
}

/** Checks that depend on the site or the stored row. Sending the stored value is always valid. */
export function writingChecks(kind: ContentKind): Readonly<Record<string, ParameterCheck>> {
  const findStored = async (scope: CheckContext) => {
    const id = Number(scope.sent('id'));
    return Number.isSafeInteger(id) ? findRow(scope, kind, id) : undefined;
  };
  return {
    status: async (raw, scope) => ((await findStored(scope))?.status === raw ? { accepted: raw } : undefined),
    template: async (raw, scope) => {
      if (typeof raw !== 'string' || raw === '' || kind.templates.includes(raw)) return undefined;
      if (raw === (await findStored(scope))?.template) return undefined;
      return { code: 'rest_invalid_param', text: `template is not one of ${formatList(kind.templates)}.` };
    },
  };
}

/**
 * Allows the default status for all callers. Other statuses require the right to edit this kind of content; `private`
 * also allows the right to read private content. Checked before the status itself is validated.
 */
export function checkStatus(kind: ContentKind): ParameterCheck {
  const publicStatus = kind.isFile ? 'inherit' : 'publish';
  return (raw, { caller }) => {
    const statuses = [splitList(raw)].flat();
    const isAllowed = statuses.every(
      (status) =>
        status === publicStatus ||
        can(caller, kind.rights.edit) ||
        (status === 'private' && can(caller, kind.rights.readPrivate)),
    );
    if (isAllowed) return undefined;
    return {
      code: 'rest_forbidden_status',
      text: 'You are not allowed to query this status.',
      data: { status: deniedStatus(caller) },
    };
  };
}
