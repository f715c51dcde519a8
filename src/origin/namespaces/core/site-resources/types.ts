import type { z } from 'zod';
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
  type SelectedFields,
} from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import type { Right } from '#origin/platform/registry/rights.ts';
import { authorizeTermList } from '../terms/find-terms.ts';

type ContextCall = AnyCall & { query: { context: Context } };

/** Serves content types, statuses and taxonomies, keyed by name. */
export function serveTypes(registry: RouteRegistry): void {
  registry.with({ permit: authorizeListing('content types') })(routes.listTypes, (call) => {
    const kinds = [...call.context.kinds.values()].filter(({ type }) => call.fields.wants(type));
    return item(Object.fromEntries(kinds.map((kind) => [kind.type, emptyAsList(presentType(kind, call))])));
  });
  registry.serve(
    routes.getType,
    (call) => {
      const kind = call.context.kinds.get(call.params.type);
      if (!kind) throw call.refuse('rest_type_invalid', 'Invalid content type.');
      return item(presentType(kind, call));
    },
    {
      permit: ({ params, query, context, caller, refuse }) => {
        const kind = context.kinds.get(params.type);
        if (!kind) throw refuse('rest_type_invalid', 'Invalid content type.');
        if (query.context === 'edit' && !can(caller, kind.rights.edit))
          throw refuse('rest_forbidden_context', 'You are not allowed to view this content type in the edit context.');
      },
    },
  );

  registry.with({ permit: authorizeListing('statuses') })(routes.listStatuses, (call) => {
    const shown = STATUSES.filter((status) => canView(status, call.caller) && call.fields.wants(status.slug));
    return item(Object.fromEntries(shown.map((status) => [status.slug, presentStatus(status, call)])));
  });
  const findStatus = ({ params, refuse }: AnyCall<'rest_status_invalid'> & { params: { status: string } }) => {
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
  const findTaxonomy = ({
    params,
    context,
    refuse,
  }: AnyCall<'rest_taxonomy_invalid'> & { params: { taxonomy: string } }) => {
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
  registry.serve(listMenus, ({ query }) => collection([], 0, { page: query.page, perPage: query.per_page }), {
    permit: requireRight('edit_theme_options', 'rest_cannot_view', 'You are not allowed to view menus.'),
  });
  registry.with({ permit: authorizeTermList })(listPatternCategories, ({ query }) =>
    collection([], 0, { page: query.page, perPage: query.per_page }),
  );
}

/** Requires the right to edit posts for the edit context. */
function authorizeListing(what: string): (call: ContextCall & AnyCall<'rest_cannot_view'>) => void {
  return ({ caller, query, refuse }) => {
    if (query.context === 'edit' && !can(caller, 'edit_posts'))
      throw refuse('rest_cannot_view', `You are not allowed to view ${what} in the edit context.`);
  };
}

function presentType(kind: ContentKind, call: ContextCall): SelectedFields<z.input<typeof typeResource>> {
  const { addresses, query } = call;
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
      rest_base: kind.base.split('/').at(-1) ?? '',
      rest_namespace: publicNamespace(kind.base, call),
      template: [],
      template_lock: false,
      _links: () =>
        addCuries({
          collection: [{ href: addresses.rest(routes.listTypes.path) }],
          'wp:items': [{ href: addresses.rest(kind.base) }],
        }),
    },
    { context: query.context, call },
  );
}

/** Returns the public name of the namespace of a route. */
function publicNamespace(base: string, { context }: Pick<AnyCall, 'context'>): string {
  return toWirePath(base.slice(0, base.lastIndexOf('/')), context.namespaces);
}

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

function canView({ isPublic }: Status, caller: Caller): boolean {
  return isPublic || can(caller, 'edit_posts');
}

function presentStatus(
  { slug, name, isPublic, hasFloatingDate }: Status,
  call: ContextCall,
): SelectedFields<z.input<typeof statusResource>> {
  const posts = call.addresses.rest(routes.listPosts.path);
  return presentFields(
    statusResource,
    {
      name,
      public: isPublic,
      queryable: isPublic,
      slug,
      date_floating: hasFloatingDate,
      _links: () => ({ archives: [{ href: isPublic ? posts : `${posts}?status=${slug}` }] }),
    },
    { context: call.query.context, call },
  );
}

interface TaxonomyKind {
  taxonomy: string;
  name: string;
  /** Content types that use its terms. */
  types: readonly string[];
  /** Route of its terms. */
  base: string;
  isHierarchical: boolean;
  /** Right required for the edit context. */
  right: Right;
}

/** Lists the taxonomies of all content kinds, and the empty ones that editors expect of every site. */
function listTaxonomyKinds({ kinds }: Pick<OriginContext, 'kinds'>): TaxonomyKind[] {
  const byName = new Map([...kinds.values()].flatMap(({ terms }) => terms).map((kind) => [kind.taxonomy, kind]));
  const contentTaxonomies = [...byName.values()].map(({ taxonomy, name, base, isHierarchical }) => {
    const users = [...kinds.values()].filter(({ terms }) => terms.some((kind) => kind.taxonomy === taxonomy));
    return {
      taxonomy,
      name,
      base,
      isHierarchical,
      types: users.map(({ type }) => type),
      right: 'edit_posts',
    } as const;
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

function presentTaxonomy(
  { taxonomy, name, types, base, isHierarchical }: TaxonomyKind,
  call: ContextCall,
): SelectedFields<z.input<typeof taxonomyResource>> {
  return presentFields(
    taxonomyResource,
    {
      name,
      slug: taxonomy,
      description: '',
      types: [...types],
      hierarchical: isHierarchical,
      rest_base: base.split('/').at(-1) ?? '',
      rest_namespace: publicNamespace(base, call),
      _links: () =>
        addCuries({
          collection: [{ href: call.addresses.rest(routes.listTaxonomies.path) }],
          'wp:items': [{ href: call.addresses.rest(base) }],
        }),
    },
    { context: call.query.context, call },
  );
}
