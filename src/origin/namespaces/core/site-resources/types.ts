import type { z } from 'zod';
import { listTypes, type getType, listPosts, type getStatus, type listStatuses } from '#contracts/core/routes.ts';
import { type as typeResource, status as statusResource } from '#contracts/core/site-resources.ts';
import type { Context } from '#contracts/core/field.ts';
import { toWirePath } from '#contracts/index.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import {
  item,
  type ResultOf,
  type AnyCall,
  type Call,
  type SelectedFields,
  emptyAsList,
  presentFields,
} from '#origin/platform/http/transport/call.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import { addCuries } from '#origin/platform/content/present-content.ts';

type ContextCall = AnyCall & { query: { context: Context } };

/** Requires the right to edit posts for the edit context. */
export function authorizeListing(what: string): (call: ContextCall & AnyCall<'rest_cannot_view'>) => void {
  return ({ caller, query, refuse }) => {
    if (query.context === 'edit' && !can(caller, 'edit_posts'))
      throw refuse('rest_cannot_view', `You are not allowed to view ${what} in the edit context.`);
  };
}

export const authorizeTypeList = authorizeListing('content types');

/** Returns all content types, keyed by name. */
export function handleListTypes(call: ContextCall): ResultOf<typeof listTypes> {
  const kinds = [...call.context.kinds.values()].filter(({ type }) => call.fields.wants(type));
  return item(Object.fromEntries(kinds.map((kind) => [kind.type, emptyAsList(presentType(kind, call))])));
}

export function authorizeTypeRead(call: Call<typeof getType>): void {
  const kind = findKind(call);
  if (call.query.context === 'edit' && !can(call.caller, kind.rights.edit))
    throw call.refuse('rest_forbidden_context', 'You are not allowed to view this content type in the edit context.');
}

export function handleGetType(call: Call<typeof getType>): ResultOf<typeof getType> {
  return item(presentType(findKind(call), call));
}

function findKind({ params, context, refuse }: Call<typeof getType>): ContentKind {
  const kind = context.kinds.get(params.type);
  if (!kind) throw refuse('rest_type_invalid', 'Invalid content type.');
  return kind;
}

function presentType(kind: ContentKind, call: ContextCall): SelectedFields<z.input<typeof typeResource>> {
  const { addresses, query } = call;
  return presentFields(
    typeResource,
    {
      description: '',
      hierarchical: kind.isHierarchical,
      has_archive: false,
      name: kind.name,
      slug: kind.type,
      icon: kind.icon,
      taxonomies: kind.terms.map(({ taxonomy }) => taxonomy),
      rest_base: kind.base.split('/').at(-1) ?? '',
      rest_namespace: publicNamespace(kind.base, call),
      template: [],
      template_lock: false,
      _links: () =>
        addCuries({
          collection: [{ href: addresses.rest(listTypes.path) }],
          'wp:items': [{ href: addresses.rest(kind.base) }],
        }),
    },
    { context: query.context, call },
  );
}

/** Returns the public name of the namespace of a route. */
export function publicNamespace(base: string, { context }: Pick<AnyCall, 'context'>): string {
  return toWirePath(base.slice(0, base.lastIndexOf('/')), context.namespaces);
}

interface Status {
  slug: string;
  name: string;
  isPublic: boolean;
  /** True if the date is unset until the post is published. */
  hasFloatingDate: boolean;
}

const STATUSES: readonly Status[] = [
  { slug: 'publish', name: 'Published', isPublic: true, hasFloatingDate: false },
  { slug: 'future', name: 'Scheduled', isPublic: false, hasFloatingDate: false },
  { slug: 'draft', name: 'Draft', isPublic: false, hasFloatingDate: true },
  { slug: 'pending', name: 'Pending', isPublic: false, hasFloatingDate: true },
  { slug: 'private', name: 'Private', isPublic: false, hasFloatingDate: false },
  { slug: 'trash', name: 'Trash', isPublic: false, hasFloatingDate: false },
];

export const authorizeStatusList = authorizeListing('statuses');

/** Returns the statuses visible to the caller, keyed by slug. */
export function handleListStatuses(call: ContextCall): ResultOf<typeof listStatuses> {
  const shown = STATUSES.filter((status) => canView(status, call.caller) && call.fields.wants(status.slug));
  return item(Object.fromEntries(shown.map((status) => [status.slug, presentStatus(status, call)])));
}

export function authorizeStatusRead(call: Call<typeof getStatus>): void {
  if (!canView(findStatus(call), call.caller))
    throw call.refuse('rest_cannot_read_status', 'You are not allowed to view this status.');
}

export function handleGetStatus(call: Call<typeof getStatus>): ResultOf<typeof getStatus> {
  return item(presentStatus(findStatus(call), call));
}

function findStatus({ params, refuse }: Call<typeof getStatus>): Status {
  const status = STATUSES.find((entry) => entry.slug === params.status);
  if (!status) throw refuse('rest_status_invalid', 'Invalid status.');
  return status;
}

function canView({ isPublic }: Status, caller: Caller): boolean {
  return isPublic || can(caller, 'edit_posts');
}

function presentStatus(
  { slug, name, isPublic, hasFloatingDate }: Status,
  call: ContextCall,
): SelectedFields<z.input<typeof statusResource>> {
  const posts = call.addresses.rest(listPosts.path);
  return presentFields(
    statusResource,
    {
      name,
      public: isPublic,
      queryable: isPublic,
      slug,
      date_floating: hasFloatingDate,
      _links: () => ({ archives: [{ href: isPublic ? posts : `${posts}?status=${slug}` }] }),
    },
    { context: call.query.context, call },
  );
}
