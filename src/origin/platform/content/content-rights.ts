import { eq, inArray, ne, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { Context } from '#contracts/core/field.ts';
import type { pageBody, postBody } from '#contracts/core/post.ts';
import type { createPost, getPost, updatePost } from '#contracts/core/routes.ts';
import type { RouteErrors } from '#contracts/index.ts';
import { splitList } from '#contracts/wire.ts';
import { isAllowed, type Caller, can } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall, CheckContext, ParameterCheck } from '#origin/platform/http/transport/call.ts';
import { formatList } from '#origin/platform/http/transport/describe-parameter.ts';
import { deniedStatus, type RestError } from '#origin/platform/http/transport/rest-error.ts';
import type { ContentAction, ContentRow, ContentKind } from '#origin/platform/registry/content-kind.ts';
import { content } from '#origin/platform/store/schema.ts';
import { loadAncestors } from './content-url.ts';
import { findRow, loadRow } from './resources/resource.ts';

/** Fields of a row that determine the rights to it. */
export type RightsRow = Pick<ContentRow, 'id' | 'type' | 'status' | 'statusBeforeTrash' | 'authorId' | 'parentId'>;

export type FindParent = (row: RightsRow) => RightsRow | undefined;

/**
 * Returns true if the caller may read a row.
 *
 * Published rows are public. Private rows require their author or the right to read them. Media inherit from their
 * parent. Other rows require the right to edit them.
 */
export function canRead(row: RightsRow, caller: Caller, parentOf?: FindParent): boolean {
  if (row.status === 'publish') return true;
  if (row.status === 'private') return caller.user?.id === row.authorId || isAllowed(caller, row.type, 'readPrivate');
  if (row.status === 'inherit') {
    const owner = parentOf?.(row);
    return owner === undefined || owner.id === row.id || canRead(owner, caller, parentOf);
  }
  return canEdit(row, caller, parentOf);
}

export function canEdit(row: RightsRow, caller: Caller, parentOf?: FindParent): boolean {
  return canChange(row, caller, parentOf, ['edit', 'editOthers', 'editPublished', 'editPrivate']);
}

export function canDelete(row: RightsRow, caller: Caller, parentOf?: FindParent): boolean {
  return canChange(row, caller, parentOf, ['delete', 'deleteOthers', 'deletePublished', 'deletePrivate']);
}

/**
 * Published rows require a separate right. In addition, own rows require the basic right, others' rows the right to
 * change them, and others' private rows a further right. `isChangeable` is the SQL equivalent.
 */
function canChange(
  row: RightsRow,
  { user, permissions }: Caller,
  parentOf: FindParent | undefined,
  [plain, others, published, priv]: readonly [ContentAction, ContentAction, ContentAction, ContentAction],
): boolean {
  const actions = permissions?.content.get(row.type);
  if (!actions) return false;
  const inherited = row.status === 'inherit' ? (parentOf?.(row)?.status ?? 'publish') : row.status;
  // Trashing a row must not extend any user's rights to it.
  const status = inherited === 'trash' && row.statusBeforeTrash !== '' ? row.statusBeforeTrash : inherited;
  const isPublished = PUBLISHED.includes(status);
  if (isPublished && !actions.has(published)) return false;
  if (user?.id === row.authorId) return isPublished || actions.has(plain);
  return actions.has(others) && (status !== 'private' || actions.has(priv));
}

/** Content columns under the table's name or an alias. */
type Rows = Readonly<Record<'id' | 'type' | 'status' | 'statusBeforeTrash' | 'authorId' | 'parentId', SQLWrapper>>;

const PUBLISHED = ['publish', 'future'];
const parent: Rows = alias(content, 'parent');
const above: Rows = alias(content, 'above');

/**
 * SQL equivalent of `canRead`, for statements that list, count and search. Revisions require the
 * right to edit their row.
 */
export function isReadableBy(caller: Caller): SQL {
  return sql`(case
    when ${content.type} = 'revision' then ${isStateOfEditable(caller)}
    when ${content.status} = 'inherit' then ${isBelowReadable(caller)}
    else ${isReadable(content, caller)}
  end)`;
}

/** The same for `canEdit`. An inherited status is that of the parent. */
export function isEditableBy(caller: Caller): SQL {
  const inherited = sql`(select ${parent.status} from ${content} parent where ${parent.id} = ${content.parentId})`;
  const status = sql`case when ${content.status} = 'inherit' then coalesce(${inherited}, 'publish') else ${content.status} end`;
  return sql`(case
    when ${content.type} = 'revision' then ${isStateOfEditable(caller)}
    else ${isChangeable(content, status, caller)}
  end)`;
}

/** Condition of a list: rows that the caller may read, or edit in the edit context. */
export function isVisibleTo(caller: Caller, context: Context): SQL {
  return context === 'edit' ? isEditableBy(caller) : isReadableBy(caller);
}

/** For rows that don't inherit their status. */
function isReadable(rows: Rows, caller: Caller): SQL {
  return sql`(case ${rows.status}
    when 'publish' then true
    when 'private' then ${isOwnRow(rows, caller)} or ${isGranted(rows, caller, 'readPrivate')}
    else ${isChangeable(rows, rows.status, caller)}
  end)`;
}

/** True if no ancestor with its own status is hidden. Rows without parent are readable. */
function isBelowReadable(caller: Caller): SQL {
  const columns = sql`p.id, p.type, p.status, p.status_before_trash, p.author_id, p.parent_id`;
  return sql`(${content.parentId} = 0 or not exists (
    with recursive above as (
      select ${columns} from ${content} p where p.id = ${content.parentId}
      union
      select ${columns} from ${content} p join above on p.id = ${above.parentId} and ${above.status} = 'inherit'
    )
    select 1 from above where ${ne(above.status, 'inherit')} and not ${isReadable(above, caller)}
  ))`;
}

function isStateOfEditable(caller: Caller): SQL {
  const isEditable = isChangeable(parent, parent.status, caller);
  return sql`exists (select 1 from ${content} parent where ${parent.id} = ${content.parentId} and ${isEditable})`;
}

/** Compares the rights first, as the status of media requires a subquery. */
function isChangeable(rows: Rows, inherited: SQLWrapper, caller: Caller): SQL {
  const before = rows.statusBeforeTrash;
  const status = sql`case when ${inherited} = 'trash' and ${before} <> '' then ${before} else ${inherited} end`;
  const isPublished = inArray(status, PUBLISHED);
  const may = (action: ContentAction) => isGranted(rows, caller, action);
  return sql`(case when ${isOwnRow(rows, caller)}
    then ${may('edit')} or ${isPublished}
    else ${may('editOthers')} and (${may('editPrivate')} or ${status} <> 'private')
  end and (${may('editPublished')} or not ${isPublished}))`;
}

/** True if the caller may perform an action on rows of this type. Anonymous callers may perform none. */
function isGranted(rows: Rows, { permissions }: Caller, action: ContentAction): SQL {
  const types = [...(permissions?.content ?? [])].flatMap(([type, actions]) => (actions.has(action) ? [type] : []));
  return inArray(rows.type, types);
}

function isOwnRow(rows: Rows, { user }: Caller): SQL {
  return user ? sql`${rows.authorId} = ${user.id}` : sql`false`;
}

/** Rows of a content type, with the error for an unknown ID. */
export function contentRows({ type }: Pick<ContentKind, 'type'>) {
  const unknownId = ['rest_post_invalid_id', 'No item with this ID.'] as const;
  return { table: content, kind: eq(content.type, type), path: type, unknownId };
}

/** Authorizes a list. The edit context requires the right to edit this kind of content. */
export function authorizeList(
  { query, caller, refuse }: AnyCall<'rest_forbidden_context'> & { query: { context: Context } },
  kind: ContentKind,
): void {
  if (query.context === 'edit' && !can(caller, kind.rights.edit))
    throw refuse('rest_forbidden_context', 'You are not allowed to view these items in the edit context.');
}

export type ItemCall = AnyCall<'rest_post_invalid_id'> & {
  params: { id: number };
  query: { context: Context; password?: string | undefined; excerpt_length?: number | undefined };
};

/** Authorizes reading an item. Checks in order: the ID, the edit context, the password, and read access. */
export async function authorizeItem(
  call: ItemCall & AnyCall<RouteErrors<typeof getPost>>,
  kind: ContentKind,
): Promise<void> {
  const { caller, query } = call;
  const row = await loadRow(call, contentRows(kind), call.params.id);
  const ancestors = await loadAncestors(call.context.store.db, [row], call.requestMemo);
  const parentOf = ({ parentId }: { parentId: number }) => ancestors.get(parentId);
  if (query.context === 'edit' && !canEdit(row, caller, parentOf))
    throw call.refuse('rest_forbidden_context', 'You are not allowed to view this item in the edit context.');
  // A password in the query must be correct for every caller, even if the row has none.
  const isSent = query.password && call.sources.get('password')?.source === 'query';
  if (isSent && query.password !== row.password)
    throw call.refuse('rest_post_incorrect_password', 'Incorrect post password.');
  if (!canRead(row, caller, parentOf)) throw call.refuse('rest_forbidden', 'You are not allowed to view this item.');
}

/** Input for writing content. Each kind supports a part of it and may add fields. */
export type ContentInput = Partial<z.output<typeof postBody> & z.output<typeof pageBody>> & Record<string, unknown>;

export type WritingCall = AnyCall<RouteErrors<typeof createPost>> & { body: ContentInput };

export type WritingItemCall = AnyCall<RouteErrors<typeof updatePost>> & {
  body: ContentInput;
  params: { id: number };
};

/**
 * Authorizes creation. Requires the right to edit this kind, and for another author the right to edit others' rows.
 */
export function authorizeCreation(call: WritingCall, kind: ContentKind): void {
  const { id } = call.others;
  if (id !== undefined && id !== '' && Number(id) !== 0)
    throw call.refuse('rest_post_exists', 'A new item can not have an ID.');
  rejectForeignFields(call, kind);
  if (!can(call.caller, kind.rights.edit))
    throw call.refuse('rest_cannot_create', 'You are not allowed to create this item.');
  rejectTerms(call, kind);
}

/** Checks the ID, then the right to edit the row, then the rights for the changed fields. */
export async function authorizeUpdate(call: WritingItemCall, kind: ContentKind): Promise<void> {
  const row = await loadRow(call, contentRows(kind), call.params.id);
  if (!canEdit(row, call.caller)) throw createCannotEditError(call);
  rejectForeignFields(call, kind);
  rejectTerms(call, kind);
}

export async function authorizeDeletion(
  call: AnyCall<'rest_post_invalid_id' | 'rest_cannot_delete'> & { params: { id: number } },
  kind: ContentKind,
): Promise<void> {
  const row = await loadRow(call, contentRows(kind), call.params.id);
  if (!canDelete(row, call.caller)) throw createCannotDeleteError(call);
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
    return Number.isSafeInteger(id) ? findRow(scope, contentRows(kind), id) : undefined;
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
