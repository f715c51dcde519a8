import { posix } from 'node:path';
import { listMenus, listPatternCategories } from '#contracts/core/editor.ts';
import type { Context } from '#contracts/core/field.ts';
import * as routes from '#contracts/core/routes.ts';
import {
  status as statusResource,
  taxonomy as taxonomyResource,
  type as typeResource,
} from '#contracts/core/site-resources.ts';
import { toWirePath } from '#contracts/index.ts';
import { addCuries } from '#origin/platform/content/present-content.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { can, type Caller } from '#origin/platform/http/callers/caller.ts';
import {
  collection,
  emptyAsList,
  item,
  presentFields,
  requireRight,
  type AnyCall,
  type Call,
} from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ContentKind, TermKind } from '#origin/platform/registry/content-kind.ts';
import type { Right } from '#origin/platform/registry/rights.ts';
import { authorizeTermList } from '../terms/terms.ts';

type ContextCall = AnyCall & { query: { context: Context } };

/** Serves content types, statuses and taxonomies, keyed by name. */
export function serveTypes(registry: RouteRegistry): void {
  registry.with({ permit: authorizeListing('content types') })(routes.listTypes, (call) => {
    const kinds = [...call.context.kinds.values()].filter(({ type }) => call.fields.wants(type));
    return item(Object.fromEntries(kinds.map((kind) => [kind.type, emptyAsList(presentType(kind, call))])));
  });
  const findType = ({ params, context, refuse }: Call<typeof routes.getType>) => {
    const kind = context.kinds.get(params.type);
    if (!kind) throw refuse('rest_type_invalid', 'Invalid content type.');
    return kind;
  };
  registry.serve(routes.getType, (call) => item(presentType(findType(call), call)), {
    permit: (call) => {
      const { rights } = findType(call);
      if (call.query.context === 'edit' && !can(call.caller, rights.edit))
        throw call.refuse(
          'rest_forbidden_context',
          'You are not allowed to view this content type in the edit context.',
        );
    },
  });

  registry.with({ permit: authorizeListing('statuses') })(routes.listStatuses, (call) => {
    const shown = STATUSES.filter((status) => canView(status, call.caller) && call.fields.wants(status.slug));
    return item(Object.fromEntries(shown.map((status) => [status.slug, presentStatus(status, call)])));
  });
  const findStatus = ({ params, refuse }: Call<typeof routes.getStatus>) => {
    const status = STATUSES.find(({ slug }) => slug === params.status);
    if (!status) throw refuse('rest_status_invalid', 'Invalid status.');
    return status;
  };
  registry.serve(routes.getStatus, (call) => item(presentStatus(findStatus(call), call)), {
    permit: (call) => {
      if (!canView(findStatus(call), call.caller))
        throw call.refuse('rest_cannot_read_status', 'You are not allowed to view this status.');
    },
  });

  registry.with({ permit: authorizeListing('taxonomies') })(routes.listTaxonomies, (call) => {
    const { type, context } = call.query;
    const shown = listTaxonomyKinds(call.context).filter(
      ({ types, right }) =>
        (type === undefined || types.includes(type)) && (context !== 'edit' || can(call.caller, right)),
    );
    return item(Object.fromEntries(shown.map((kind) => [kind.taxonomy, presentTaxonomy(kind, call)])));
  });
  const findTaxonomy = ({ params, context, refuse }: Call<typeof routes.getTaxonomy>) => {
    const found = listTaxonomyKinds(context).find(({ taxonomy }) => taxonomy === params.taxonomy);
    if (!found) throw refuse('rest_taxonomy_invalid', 'Invalid taxonomy.');
    return found;
  };
  registry.serve(routes.getTaxonomy, (call) => item(presentTaxonomy(findTaxonomy(call), call)), {
    permit: (call) => {
      const { right } = findTaxonomy(call);
      if (call.query.context === 'edit' && !can(call.caller, right))
        throw call.refuse('rest_forbidden_context', 'You are not allowed to view this taxonomy in the edit context.');
    },
  });
  // Taxonomies without terms.
  const listNone = ({ query: { page, per_page: perPage } }: { query: { page: number; per_page: number } }) =>
    collection<never>([], 0, { page, perPage });
  registry.serve(listMenus, listNone, {
    permit: requireRight('edit_theme_options', 'rest_cannot_view', 'You are not allowed to view menus.'),
  });
  registry.serve(listPatternCategories, listNone, { permit: authorizeTermList });
}

/** Requires the right to edit posts for the edit context. */
function authorizeListing(what: string): (call: ContextCall & AnyCall<'rest_cannot_view'>) => void {
  return ({ caller, query, refuse }) => {
    if (query.context === 'edit' && !can(caller, 'edit_posts'))
      throw refuse('rest_cannot_view', `You are not allowed to view ${what} in the edit context.`);
  };
}

function presentType(kind: ContentKind, call: ContextCall) {
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
      template: [],
      template_lock: false,
      ...locate(kind.base, routes.listTypes.path, call),
    },
    { context: call.query.context, call },
  );
}

/** Returns the fields for the collection of a type or taxonomy. @param list path of the list of types or taxonomies */
function locate(base: string, list: string, { addresses, context }: AnyCall) {
  return {
    rest_base: posix.basename(base),
    rest_namespace: toWirePath(posix.dirname(base), context.namespaces),
    _links: () =>
      addCuries({
        collection: [{ href: addresses.rest(list) }],
        'wp:items': [{ href: addresses.rest(base) }],
      }),
  };
}

/** Statuses of posts. The date of a floating one is unset until the post is published. */
const STATUSES = [
  { slug: 'publish', name: 'Published', public: true, date_floating: false },
  { slug: 'future', name: 'Scheduled', public: false, date_floating: false },
  { slug: 'draft', name: 'Draft', public: false, date_floating: true },
  { slug: 'pending', name: 'Pending', public: false, date_floating: true },
  { slug: 'private', name: 'Private', public: false, date_floating: false },
  { slug: 'trash', name: 'Trash', public: false, date_floating: false },
];

type Status = (typeof STATUSES)[number];

function canView(status: Status, caller: Caller): boolean {
  return status.public || can(caller, 'edit_posts');
}

function presentStatus(status: Status, call: ContextCall) {
  const posts = call.addresses.rest(routes.listPosts.path);
  const href = status.public ? posts : `${posts}?status=${status.slug}`;
  return presentFields(
    statusResource,
    { ...status, queryable: status.public, _links: () => ({ archives: [{ href }] }) },
    { context: call.query.context, call },
  );
}

interface TaxonomyKind extends Pick<TermKind, 'taxonomy' | 'name' | 'base' | 'isHierarchical'> {
  /** Content types that use its terms. */
  types: string[];
  /** Right required for the edit context. */
  right: Right;
}

/** Lists the taxonomies of all content kinds, and the empty ones that editors expect of every site. */
function listTaxonomyKinds({ kinds }: Pick<OriginContext, 'kinds'>): TaxonomyKind[] {
  const terms = new Set([...kinds.values()].flatMap((kind) => kind.terms));
  const contentTaxonomies = [...terms].map((term) => {
    const users = [...kinds.values()].filter((kind) => kind.terms.includes(term));
    return { ...term, types: users.map(({ type }) => type), right: 'edit_posts' } as const;
  });
  return [...contentTaxonomies, ...EMPTY_TAXONOMIES];
}

const EMPTY_TAXONOMIES: readonly TaxonomyKind[] = [
  {
    taxonomy: 'nav_menu',
    name: 'Navigation Menus',
    types: ['nav_menu_item'],
    base: listMenus.path,
    isHierarchical: false,
    right: 'edit_theme_options',
  },
  {
    taxonomy: 'wp_pattern_category',
    name: 'Pattern Categories',
    types: ['wp_block'],
    base: listPatternCategories.path,
    isHierarchical: false,
    right: 'edit_posts',
  },
];

function presentTaxonomy({ taxonomy, name, types, base, isHierarchical }: TaxonomyKind, call: ContextCall) {
  return presentFields(
    taxonomyResource,
    {
      name,
      slug: taxonomy,
      description: '',
      types,
      hierarchical: isHierarchical,
      ...locate(base, routes.listTaxonomies.path, call),
    },
    { context: call.query.context, call },
  );
}
