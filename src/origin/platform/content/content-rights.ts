import { isAllowed, type Caller, can } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import type { ContentAction, ContentRow, ContentKind } from '#origin/platform/registry/content-kind.ts';
import type { SharedQuery } from './find-content.ts';

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
    const parent = parentOf(row);
    return parent === undefined || parent.id === row.id || canRead(parent, caller, parentOf);
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
): (call: AnyCall<'rest_forbidden_context'> & { query: Pick<SharedQuery, 'context'> }) => void {
  return ({ query, caller, refuse }) => {
    if (query.context === 'edit' && !can(caller, kind.rights.edit))
      throw refuse('rest_forbidden_context', 'You are not allowed to view these items in the edit context.');
  };
}
