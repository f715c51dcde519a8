import type { z } from 'zod';
import { listPosts, type getStatus, type listStatuses } from '#contracts/core/routes.ts';
import { status as statusResource } from '#contracts/core/site-resources.ts';
import type { Context } from '#contracts/core/field.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import {
  item,
  type ResultOf,
  type AnyCall,
  type Call,
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';

type ContextCall = AnyCall & { query: { context: Context } };

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

export function authorizeStatusList({ caller, query, refuse }: Call<typeof listStatuses>): void {
  if (query.context === 'edit' && !can(caller, 'edit_posts'))
    throw refuse('rest_cannot_view', 'You are not allowed to view statuses in the edit context.');
}

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
      name: () => name,
      public: () => isPublic,
      queryable: () => isPublic,
      slug: () => slug,
      date_floating: () => hasFloatingDate,
      _links: () => ({ archives: [{ href: isPublic ? posts : `${posts}?status=${slug}` }] }),
    },
    { context: call.query.context, call },
  );
}
