import { can } from '#origin/platform/http/callers/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import type { SharedQuery } from './shared-filter.ts';

/** Lists are open to all, as editors see them only to who writes this kind of content. */
export function permitList(
  kind: ContentKind,
): (call: AnyCall<'rest_forbidden_context'> & { query: Pick<SharedQuery, 'context'> }) => void {
  return ({ query, caller, refuse }) => {
    if (query.context === 'edit' && !can(caller, kind.rights.edit))
      throw refuse('rest_forbidden_context', 'You may not see these as their editors do.');
  };
}
