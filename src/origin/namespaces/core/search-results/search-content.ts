import { fillPath } from '#contracts/index.ts';
import { getType, listSearchResults, searchResult } from '#contracts/core/index.ts';
import { CONTENT_KINDS, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { linkContent } from '#origin/platform/content/link-content.ts';
import { allowedMethods } from '#origin/platform/content/link-row.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import { texturise } from '#origin/platform/render/index.ts';
import { parseSearch } from '#origin/platform/search/index.ts';
import { findContent } from '#origin/platform/content/find-content.ts';
import { loadAncestors, type Ancestor } from '#origin/platform/content/load-ancestors.ts';
import type { Found, SearchCall } from './found.ts';

/** Published posts and pages that hold the words, the best first; without words all of them, the newest first. */
export async function searchContent(call: SearchCall, types: readonly ('post' | 'page')[]): Promise<Found> {
  if (types.length === 0) return { rows: [], total: 0 };
  const { search: words, include, exclude, page, per_page: perPage } = call.query;
  const search = words ? parseSearch(words) : undefined;
  const filter = {
    type: types,
    viewer: { caller: call.caller, as: 'reader' },
    statuses: ['publish'],
    ids: include,
    notIds: exclude,
    search,
  } as const;
  const order = { by: search ? 'relevance' : 'date', direction: 'desc' } as const;
  const { db } = call.context.store;
  const found = await findContent(db, filter, order, { limit: perPage, offset: (page - 1) * perPage });
  const ancestors = await loadAncestors(db, found.rows);
  return { rows: found.rows.map((row) => presentFound(row, call, ancestors)), total: found.total };
}

function presentFound(row: ContentRow, call: SearchCall, ancestors: ReadonlyMap<number, Ancestor>) {
  const kind = CONTENT_KINDS[row.type === 'page' ? 'page' : 'post'];
  const href = (path: string) => call.addresses.rest(path);
  const parentOf = ({ parentId }: { parentId: number }) => ancestors.get(parentId);
  return presentFields(
    searchResult,
    {
      id: () => row.id,
      title: () => texturise(row.title),
      url: () => linkContent(row, { site: call.addresses.site, kinds: call.context.kinds }, ancestors),
      type: () => 'post',
      subtype: () => kind.type,
      _links: () => {
        const allow = allowedMethods(row, { call, kind, parentOf });
        return {
          self: [{ embeddable: true, href: href(`${kind.base}/${row.id}`), targetHints: { allow } }],
          about: [{ href: href(fillPath(getType.path, { type: kind.type })) }],
          collection: [{ href: href(listSearchResults.path) }],
        };
      },
    },
    { context: call.query.context, call },
  );
}
