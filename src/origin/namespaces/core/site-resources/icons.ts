import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { z } from 'zod';
import { DEFAULT_PER_PAGE, type iconQuery } from '#contracts/core/collection-query.ts';
import * as routes from '#contracts/core/editor.ts';
import { context } from '#contracts/core/field.ts';
import {
  collection,
  item,
  requireRight,
  type RouteResult,
  type AnyCall,
  type SelectedFields,
  presentFields,
  emptySelection,
  type FieldValues,
} from '#origin/platform/http/transport/call.ts';
import { ICON_COLLECTIONS, type Icon, type IconCollection } from '#origin/platform/site/icon-set.ts';
import { BLOCK_PATTERN_CATEGORIES, BLOCK_PATTERNS } from '#origin/platform/site/block-pattern-set.ts';

type IconListCall = AnyCall & { query: z.output<typeof iconQuery> };

/** Serves icons with their collections, and block patterns with their categories. */
export function serveIcons(registry: RouteRegistry): void {
  const canView = requireRight('edit_posts', 'rest_cannot_view', 'You are not allowed to view icons.');
  const serve = registry.with({ permit: canView });
  serve(routes.listIcons, (call) => {
    const { collection: slug } = call.query;
    return listIcons(call, slug === undefined ? ICON_COLLECTIONS : [findCollection(slug, call)]);
  });
  serve(routes.listIconsOfCollection, (call) => listIcons(call, [findCollection(call.params.collection, call)]));
  serve(routes.getIcon, (call) => {
    const icons = ICON_COLLECTIONS.flatMap((entry) => entry.icons);
    const found = icons.find(({ name }) => name === call.params.name);
    if (!found) throw call.refuse('rest_icon_not_found', 'Icon not found.');
    return item(presentFields(routes.icon, found, { context: call.query.context, call }));
  });
  serve(routes.listIconCollections, (call) => paginate(routes.iconCollection, ICON_COLLECTIONS, call));
  serve(routes.getIconCollection, (call) => {
    const found = findCollection(call.params.slug, call);
    return item(presentFields(routes.iconCollection, found, { context: call.query.context, call }));
  });

  const canViewPatterns = requireRight('edit_posts', 'rest_cannot_view', 'You are not allowed to view block patterns.');
  const servePatterns = registry.with({ permit: canViewPatterns });
  servePatterns(routes.listBlockPatterns, (call) =>
    item(BLOCK_PATTERNS.map((pattern) => present(routes.blockPattern, pattern, call))),
  );
  servePatterns(routes.listBlockPatternCategories, (call) =>
    item(BLOCK_PATTERN_CATEGORIES.map((category) => present(routes.blockPatternCategory, category, call))),
  );
}

function listIcons(call: IconListCall, collections: readonly IconCollection[]) {
  const search = call.query.search?.toLowerCase() ?? '';
  const isFound = ({ name, label }: Icon) => `${name}\n${label}`.toLowerCase().includes(search);
  const found = collections.flatMap(({ icons }) => icons.filter(isFound));
  return paginate(routes.icon, found, call);
}

/** Returns the requested page with totals. Without `page` and `per_page`, returns all rows without totals. */
function paginate<S extends z.ZodObject>(
  resource: S,
  all: readonly FieldValues<z.input<S>>[],
  call: IconListCall,
): RouteResult<z.input<S>[]> {
  const { context, page, per_page } = call.query;
  const rows = all.map((row) => presentFields(resource, row, { context, call }));
  if (per_page === undefined && page === 1) return { status: 200, body: rows };
  const perPage = per_page ?? DEFAULT_PER_PAGE;
  return collection(rows.slice((page - 1) * perPage, page * perPage), rows.length, { page, perPage });
}

function findCollection(slug: string, { refuse }: AnyCall<'rest_icon_collection_not_found'>): IconCollection {
  const found = ICON_COLLECTIONS.find((entry) => entry.slug === slug);
  if (!found) throw refuse('rest_icon_collection_not_found', 'Icon collection not found.');
  return found;
}

/** `context` is not a declared parameter but has an effect: an invalid value yields no fields. */
function present<S extends z.ZodObject>(
  resource: S,
  values: Partial<z.input<S>>,
  call: AnyCall,
): SelectedFields<z.input<S>> {
  const parsed = context.safeParse(call.others['context'] ?? 'view');
  return parsed.success
    ? presentFields(resource, values as FieldValues<z.input<S>>, { context: parsed.data, call })
    : emptySelection();
}
