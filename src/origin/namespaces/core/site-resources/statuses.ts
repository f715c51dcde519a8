import { status as statusResource, type Context } from '#contracts/core/index.ts';
import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import { item, refuse, RestError, type Answer, type Call } from '#origin/platform/http/transport/index.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';

type ContextCall = Call & { query: { context: Context } };

interface Status {
  slug: string;
  name: string;
  isPublic: boolean;
  floats: boolean;
}

const STATUSES: readonly Status[] = [
  { slug: 'publish', name: 'Published', isPublic: true, floats: false },
  { slug: 'future', name: 'Scheduled', isPublic: false, floats: false },
  { slug: 'draft', name: 'Draft', isPublic: false, floats: true },
  { slug: 'pending', name: 'Pending', isPublic: false, floats: true },
  { slug: 'private', name: 'Private', isPublic: false, floats: false },
  { slug: 'trash', name: 'Trash', isPublic: false, floats: false },
];

export function permitStatuses({ caller, query }: ContextCall): void {
  if (query.context === 'edit' && !can(caller, 'edit_posts'))
    throw refuse(caller, 'rest_cannot_view', 'You may not see statuses as editors do.');
}

/** The statuses that the caller may meet, by name. */
export function answerStatuses(call: ContextCall): Answer {
  const shown = STATUSES.filter((status) => mayMeet(status, call.caller) && call.fields.wants(status.slug));
  return item(Object.fromEntries(shown.map((status) => [status.slug, presentStatus(status, call)])));
}

export function permitStatus({ caller, params }: ContextCall & { params: { status: string } }): void {
  if (!mayMeet(findStatus(params.status), caller))
    throw refuse(caller, 'rest_cannot_read_status', 'You may not see this status.');
}

/** One status. */
export function answerStatus(call: ContextCall & { params: { status: string } }): Answer {
  return item(presentStatus(findStatus(call.params.status), call));
}

function findStatus(slug: string): Status {
  const status = STATUSES.find((known) => known.slug === slug);
  if (!status) throw new RestError('rest_status_invalid', 404, 'There is no such status.');
  return status;
}

function mayMeet({ isPublic }: Status, caller: Caller): boolean {
  return isPublic || can(caller, 'edit_posts');
}

function presentStatus({ slug, name, isPublic, floats }: Status, call: ContextCall): Record<string, unknown> {
  const posts = call.addresses.rest('core/v2/posts');
  const makers = {
    name: () => name,
    public: () => isPublic,
    queryable: () => isPublic,
    slug: () => slug,
    date_floating: () => floats,
    _links: () => ({ archives: [{ href: isPublic ? posts : `${posts}?status=${slug}` }] }),
  };
  return presentFields(statusResource, makers, { context: call.query.context, call });
}
