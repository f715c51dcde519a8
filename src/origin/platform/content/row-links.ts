import { getMedia, getType, getUser, listMedia } from '#contracts/core/routes.ts';
import { listComments } from '#contracts/core/comment-routes.ts';
import { fillPath, type HttpMethod } from '#contracts/index.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { type ContentRow, getKind } from '#origin/platform/registry/content-kind.ts';
import { canDelete, canEdit } from './content-rights.ts';
import type { ContentView } from './content-view.ts';

export type Links = Record<string, { href: string; [name: string]: unknown }[]>;

/** Creates the `_links` of a row: itself, related rows, and actions available to the caller. */
export function createRowLinks(row: ContentRow, view: ContentView): Links {
  const { call, kind } = view;
  const href = (path: string) => call.addresses.rest(path);
  const collection = href(kind.base);
  const self = `${collection}/${row.id}`;
  const revisions = view.revisions.get(row.id) ?? { count: 0, newestId: 0 };
  const revisionsHref = `${self}/revisions`;
  const isMediaItem = kind.isFile;
  const parent = view.ancestors.get(row.parentId);
  const links: Links = {
    self: [{ href: self, targetHints: { allow: allowedMethods(row, view) } }],
    collection: [{ href: collection }],
    about: [{ href: href(fillPath(getType.path, { type: kind.type })) }],
  };
  if (kind.hasPage) {
    links['author'] = [{ embeddable: true, href: href(fillPath(getUser.path, { id: row.authorId })) }];
    links['replies'] = [{ embeddable: true, href: `${href(listComments.path)}?post=${row.id}` }];
  }
  if (!isMediaItem) links['version-history'] = [{ count: revisions.count, href: revisionsHref }];
  if (revisions.count > 0) {
    const { newestId } = revisions;
    links['predecessor-version'] = [{ id: newestId, href: `${revisionsHref}/${newestId}` }];
  }
  if (kind.isHierarchical && row.parentId !== 0)
    links['up'] = [{ embeddable: true, href: `${collection}/${row.parentId}` }];
  if (view.featured.has(row.featuredMedia))
    links['wp:featuredmedia'] = [{ embeddable: true, href: href(fillPath(getMedia.path, { id: row.featuredMedia })) }];
  if (!isMediaItem) links['wp:attachment'] = [{ href: `${href(listMedia.path)}?parent=${row.id}` }];
  if (kind.terms.length > 0) {
    links['wp:term'] = kind.terms.map(({ taxonomy, base }) => ({
      taxonomy,
      embeddable: true,
      href: `${href(base)}?post=${row.id}`,
    }));
  }
  if (isMediaItem && parent) {
    const target = href(`${getKind(parent, call.context.kinds).base}/${parent.id}`);
    links['wp:attached-to'] = [{ embeddable: true, post_type: parent.type, id: parent.id, href: target }];
  }
  for (const action of view.context === 'edit' ? actions(view) : []) links[`wp:action-${action}`] = [{ href: self }];
  return addCuries(links);
}

/** Declares the prefix of unregistered relations. */
export function addCuries(links: Links): Links {
  if (!Object.keys(links).some((relation) => relation.startsWith('wp:'))) return links;
  return { ...links, curies: [{ name: 'wp', href: 'https://api.w.org/{rel}', templated: true }] };
}

/** Returns the methods of the row that the caller may use. */
export function allowedMethods(
  row: ContentRow,
  { call, kind, parentOf }: Pick<ContentView, 'call' | 'kind' | 'parentOf'>,
): HttpMethod[] {
  const isEditable = canEdit(row, call.caller, parentOf);
  const isDeletable = canDelete(row, call.caller, parentOf);
  return call
    .methodsOn(`${kind.base}/<id>`)
    .filter((method) => method === 'GET' || (method === 'DELETE' ? isDeletable : isEditable));
}

/** Lists actions for the editor's user interface. */
function actions({ call: { caller }, kind }: ContentView): string[] {
  const canPublish = can(caller, kind.rights.publish);
  const canEditOthers = can(caller, kind.rights.editOthers);
  const available: readonly (readonly [string, boolean])[] = [
    ['publish', !kind.isFile && canPublish],
    ['unfiltered-html', can(caller, 'unfiltered_html')],
    ['sticky', kind.canStick && canEditOthers && canPublish],
    ['assign-author', kind.hasPage && canEditOthers],
    ...kind.terms.flatMap(({ parameter, mayAdd }) => [
      [`create-${parameter}`, can(caller, mayAdd)] as const,
      [`assign-${parameter}`, can(caller, 'edit_posts')] as const,
    ]),
  ];
  return available.filter(([, isAvailable]) => isAvailable).map(([name]) => name);
}
