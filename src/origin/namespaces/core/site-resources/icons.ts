import { icon as iconResource, iconCollection, type Context } from '#contracts/core/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { item, refuse, RestError, type Answer, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import { ICON_COLLECTIONS, type Icon, type IconCollection } from '#origin/platform/site/icon-set.ts';

type ContextCall = AnyCall & { query: { context: Context } };
type ListCall = ContextCall & { query: { search?: string | undefined } };

/** Icons are for who writes. */
export function permitIcons({ caller }: AnyCall): void {
  if (!can(caller, 'edit_posts')) throw refuse(caller, 'rest_cannot_view', 'You may not see icons.');
}

/** The icons of a collection, or of all. They are few: all of them are on one page. */
export function answerIcons(call: ListCall, slug: string | undefined): Answer {
  const collections = slug === undefined ? ICON_COLLECTIONS : [findCollection(slug)];
  const wanted = call.query.search?.toLowerCase() ?? '';
  const found = collections
    .flatMap(({ icons }) => icons)
    .filter(({ name, label }) => `${name}\n${label}`.toLowerCase().includes(wanted));
  return item(found.map((icon) => presentIcon(icon, call)));
}

/** One icon. */
export function answerIcon(call: ContextCall & { params: { name: string } }): Answer {
  const icons = ICON_COLLECTIONS.flatMap((collection) => collection.icons);
  const found = icons.find(({ name }) => name === call.params.name);
  if (!found) throw new RestError('rest_icon_not_found', 404, 'There is no such icon.');
  return item(presentIcon(found, call));
}

/** All collections of icons. */
export function answerIconCollections(call: ContextCall): Answer {
  return item(ICON_COLLECTIONS.map((collection) => presentCollection(collection, call)));
}

/** One collection, without its icons. */
export function answerIconCollection(call: ContextCall & { params: { slug: string } }): Answer {
  return item(presentCollection(findCollection(call.params.slug), call));
}

function findCollection(wanted: string): IconCollection {
  const found = ICON_COLLECTIONS.find(({ slug }) => slug === wanted);
  if (!found) throw new RestError('rest_icon_collection_not_found', 404, 'There is no such collection of icons.');
  return found;
}

function presentIcon({ name, label, content, collection }: Icon, call: ContextCall): Record<string, unknown> {
  const makers = { name: () => name, label: () => label, content: () => content, collection: () => collection };
  return presentFields(iconResource, makers, { context: call.query.context, call });
}

function presentCollection({ slug, label, description }: IconCollection, call: ContextCall): Record<string, unknown> {
  const makers = { slug: () => slug, label: () => label, description: () => description };
  return presentFields(iconCollection, makers, { context: call.query.context, call });
}
