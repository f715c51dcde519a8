import { can } from '#origin/platform/http/callers/index.ts';
import { refuse, type Call } from '#origin/platform/http/transport/index.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import type { SharedQuery } from './shared-filter.ts';

/** Lists are open to all, as editors see them only to who writes this kind of content. */
export function permitList(kind: ContentKind): (call: Call & { query: Pick<SharedQuery, 'context'> }) => void {
  return ({ query, caller }) => {
    if (query.context === 'edit' && !can(caller, kind.rights.edit))
      throw refuse(caller, 'rest_forbidden_context', 'You may not see these as their editors do.');
  };
}
