import { isAllowed, type Caller, can } from '#origin/platform/http/callers/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { ContentAction, ContentRow, ContentKind } from '#origin/platform/registry/content-kind.ts';
import type { SharedQuery } from './find-content.ts';

/** What of a row decides who may do what with it. */
export type OwnedRow = Pick<ContentRow, 'id' | 'type' | 'status' | 'statusBeforeTrash' | 'authorId' | 'parentId'>;

/** Finds the row another one hangs on. */
export type FindParent = (row: OwnedRow) => OwnedRow | undefined;

const noParent: FindParent = () => undefined;

/** Published: all. Private: its author and who may read private ones. A medium: as what it is attached to. Else its editors. */
export function mayRead(row: OwnedRow, caller: Caller, parentOf: FindParent = noParent): boolean {
  if (row.status === 'publish') return true;
  if (row.status === 'private') return isOwn(row, caller) || isAllowed(caller, row.type, 'readPrivate');
  if (row.status === 'inherit') {
    const parent = parentOf(row);
    return parent === undefined || parent.id === row.id || mayRead(parent, caller, parentOf);
  }
  return mayEdit(row, caller, parentOf);
}

export function mayEdit(row: OwnedRow, caller: Caller, parentOf: FindParent = noParent): boolean {
  return mayChange(row, caller, parentOf, ['edit', 'editOthers', 'editPublished', 'editPrivate']);
}

export function mayDelete(row: OwnedRow, caller: Caller, parentOf: FindParent = noParent): boolean {
  return mayChange(row, caller, parentOf, ['delete', 'deleteOthers', 'deletePublished', 'deletePrivate']);
}

/** Own rows need the plain right, others' rows a further one; published and others' private ones one more each. */
function mayChange(
  row: OwnedRow,
  caller: Caller,
  parentOf: FindParent,
  [plain, others, published, priv]: readonly [ContentAction, ContentAction, ContentAction, ContentAction],
): boolean {
  const may = (action: ContentAction) => isAllowed(caller, row.type, action);
  const inherited = row.status === 'inherit' ? (parentOf(row)?.status ?? 'publish') : row.status;
  // The trash gives nobody rights that they did not have before.
  const status = inherited === 'trash' && row.statusBeforeTrash !== '' ? row.statusBeforeTrash : inherited;
  const isPublished = status === 'publish' || status === 'future';
  if (isOwn(row, caller)) return may(isPublished ? published : plain);
  return may(others) && (!isPublished || may(published)) && (status !== 'private' || may(priv));
}

function isOwn(row: OwnedRow, caller: Caller): boolean {
  return caller.user !== undefined && caller.user.id === row.authorId;
}

/** Lists are open to all, as editors see them only to who writes this kind of content. */
export function permitList(
  kind: ContentKind,
): (call: AnyCall<'rest_forbidden_context'> & { query: Pick<SharedQuery, 'context'> }) => void {
  return ({ query, caller, refuse }) => {
    if (query.context === 'edit' && !can(caller, kind.rights.edit))
      throw refuse('rest_forbidden_context', 'You may not see these as their editors do.');
  };
}
