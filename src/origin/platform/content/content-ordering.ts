import { asc, desc, type SQL, type SQLWrapper } from 'drizzle-orm';
import { content } from '#origin/platform/store/schema.ts';
import { foldColumn, rankRelevance } from '#origin/platform/search/index.ts';
import { bytewise } from './bytewise.ts';
import type { ContentFilter, ContentOrder } from './content-filter.ts';
import { positionIn } from './position-in.ts';

/** What a list is ordered by. Ties are broken by id, so that pages never overlap. */
export function contentOrdering(order: ContentOrder, filter: ContentFilter): SQL[] {
  const { by, direction, ties = isGathered(filter) ? 'asc' : direction } = order;
  const toward = direction === 'asc' ? asc : desc;
  const byColumn = (column: SQLWrapper) => [toward(column), ties === 'asc' ? asc(content.id) : desc(content.id)];
  switch (by) {
    case 'author':
      return byColumn(content.authorId);
    case 'date':
      return byColumn(content.date);
    case 'id':
      return [toward(content.id)];
    case 'include':
      return [...positionIn(content.id, filter.ids ?? []), asc(content.id)];
    case 'include_slugs':
      return [...positionIn(content.slug, filter.slugs ?? []), asc(content.id)];
    case 'menu_order':
      return byColumn(content.menuOrder);
    case 'modified':
      return byColumn(content.modified);
    case 'parent':
      return byColumn(content.parentId);
    case 'slug':
      return byColumn(bytewise(content.slug));
    case 'title':
      return byColumn(bytewise(foldColumn(content.title)));
    case 'relevance':
      return [...(filter.search ? [asc(rankRelevance(filter.search, content))] : []), ...byColumn(content.date)];
  }
}

/**
 * Rows of one status lie by date and id, and a list of them reads that the one way or the other. Rows that are
 * gathered, from several statuses, by term, by format or below a parent, come by id wherever they tie.
 */
function isGathered({ statuses, formats = [], terms = [], parents = [] }: ContentFilter): boolean {
  return (
    statuses.length > 1 ||
    statuses.includes('any') ||
    formats.length > 0 ||
    terms.some(({ operator }) => operator !== 'none') ||
    parents.some((id) => id !== 0)
  );
}
