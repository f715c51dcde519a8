import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { z } from 'zod';
import { DEFAULT_PER_PAGE, type iconQuery } from '#contracts/core/collection-query.ts';
import * as routes from '#contracts/core/editor.ts';
import { type Context, context } from '#contracts/core/field.ts';
import {
  collection,
  item,
  requireRight,
  type RouteResult,
  type ResultOf,
  type AnyCall,
  type SelectedFields,
  presentFields,
  emptySelection,
  type FieldValues,
} from '#origin/platform/http/transport/call.ts';
import { ICON_COLLECTIONS, type Icon, type IconCollection } from '#origin/platform/site/icon-set.ts';
import { BLOCK_PATTERN_CATEGORIES, BLOCK_PATTERNS } from '#origin/platform/site/block-pattern-set.ts';

type ContextCall = AnyCall & { query: { context: Context } };
type PagedCall = ContextCall & { query: Pick<z.output<typeof iconQuery>, 'page' | 'per_page'> };

/** Serves icons with their collections, and block patterns with their categories. */
export function serveIcons(registry: RouteRegistry): void {
  const canView = requireRight('edit_posts', 'rest_cannot_view', 'You are not allowed to view icons.');
  const serve = registry.with({ permit: canView });
  serve(routes.listIcons, (call) => listCollectionIcons(call, call.query.collection));
  serve(routes.listIconsOfCollection, (call) => listCollectionIcons(call, call.params.collection));
  serve(routes.getIcon, (call) => {
    const icons = ICON_COLLECTIONS.flatMap((entry) => entry.icons);
    const found = icons.find(({ name }) => name === call.params.name);
    if (!found) throw call.refuse('rest_icon_not_found', 'Icon not found.');
    return item(presentIcon(found, call));
  });
  serve(routes.listIconCollections, (call) => {
    const collections = ICON_COLLECTIONS.map((entry) => presentCollection(entry, call));
    return paginate(collections, call);
  });
  serve(routes.getIconCollection, (call) => item(presentCollection(findCollection(call.params.slug, call), call)));

  const canViewPatterns = requireRight('edit_posts', 'rest_cannot_view', 'You are not allowed to view block patterns.');
  const servePatterns = registry.with({ permit: canViewPatterns });
  servePatterns(routes.listBlockPatterns, (call) =>
    item(BLOCK_PATTERNS.map((pattern) => present(routes.blockPattern, pattern, call))),
  );
  servePatterns(routes.listBlockPatternCategories, (call) =>
    item(BLOCK_PATTERN_CATEGORIES.map((category) => present(routes.blockPatternCategory, category, call))),
  );
}

/** Lists the icons of one collection, or of all without a slug. */
function listCollectionIcons(
  call: PagedCall & AnyCall<'rest_icon_collection_not_found'> & { query: { search?: string | undefined } },
  slug: string | undefined,
): ResultOf<typeof routes.listIcons> {
  const collections = slug === undefined ? ICON_COLLECTIONS : [findCollection(slug, call)];
  const search = call.query.search?.toLowerCase() ?? '';
  const found = collections
    .flatMap(({ icons }) => icons)
    .filter(({ name, label }) => `${name}\n${label}`.toLowerCase().includes(search));
  return paginate(
    found.map((icon) => presentIcon(icon, call)),
    call,
  );
}

/** Returns the requested page with totals. Without `page` and `per_page`, returns all rows without totals. */
function paginate<T>(rows: SelectedFields<T>[], { query: { page, per_page } }: PagedCall): RouteResult<T[]> {
  if (per_page === undefined && page === 1) return { status: 200, body: rows };
  const perPage = per_page ?? DEFAULT_PER_PAGE;
  return collection<T>(rows.slice((page - 1) * perPage, page * perPage), rows.length, { page, perPage });
}

function findCollection(slug: string, { refuse }: AnyCall<'rest_icon_collection_not_found'>): IconCollection {
  const found = ICON_COLLECTIONS.find((entry) => entry.slug === slug);
  if (!found) throw refuse('rest_icon_collection_not_found', 'Icon collection not found.');
  return found;
}

function presentIcon(
  { name, label, content, collection }: Icon,
  call: ContextCall,
): SelectedFields<z.input<typeof routes.icon>> {
  return presentFields(routes.icon, { name, label, content, collection }, { context: call.query.context, call });
}

function presentCollection(
  { slug, label, description }: IconCollection,
  call: ContextCall,
): SelectedFields<z.input<typeof routes.iconCollection>> {
  return presentFields(routes.iconCollection, { slug, label, description }, { context: call.query.context, call });
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
