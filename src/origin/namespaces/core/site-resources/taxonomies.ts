import type { z } from 'zod';
import { listMenus, listPatternCategories } from '#contracts/core/editor.ts';
import { listTaxonomies, type getTaxonomy } from '#contracts/core/routes.ts';
import { taxonomy as taxonomyResource } from '#contracts/core/site-resources.ts';
import type { Context } from '#contracts/core/field.ts';
import { addCuries } from '#origin/platform/content/present-content.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import {
  presentFields,
  item,
  requireRight,
  type ResultOf,
  type AnyCall,
  type Call,
  type SelectedFields,
  collection,
} from '#origin/platform/http/transport/call.ts';
import type { Right } from '#origin/platform/registry/rights.ts';
import { authorizeListing, publicNamespace } from './types.ts';

type ContextCall = AnyCall & { query: { context: Context } };

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

export const authorizeTaxonomyList = authorizeListing('taxonomies');

/** Returns all taxonomies, keyed by name. The edit context contains only those the caller can edit. */
export function handleListTaxonomies(call: Call<typeof listTaxonomies>): ResultOf<typeof listTaxonomies> {
  const { type, context } = call.query;
  const shown = listTaxonomyKinds(call.context).filter(
    ({ types, right }) =>
      (type === undefined || types.includes(type)) && (context !== 'edit' || can(call.caller, right)),
  );
  return item(Object.fromEntries(shown.map((kind) => [kind.taxonomy, presentTaxonomy(kind, call)])));
}

export function authorizeTaxonomyRead(call: Call<typeof getTaxonomy>): void {
  const { right } = findKind(call);
  if (call.query.context === 'edit' && !can(call.caller, right))
    throw call.refuse('rest_forbidden_context', 'You are not allowed to view this taxonomy in the edit context.');
}

export function handleGetTaxonomy(call: Call<typeof getTaxonomy>): ResultOf<typeof getTaxonomy> {
  return item(presentTaxonomy(findKind(call), call));
}

function findKind({ params, context, refuse }: Call<typeof getTaxonomy>): TaxonomyKind {
  const found = listTaxonomyKinds(context).find(({ taxonomy }) => taxonomy === params.taxonomy);
  if (!found) throw refuse('rest_taxonomy_invalid', 'Invalid taxonomy.');
  return found;
}

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
          collection: [{ href: call.addresses.rest(listTaxonomies.path) }],
          'wp:items': [{ href: call.addresses.rest(base) }],
        }),
    },
    { context: call.query.context, call },
  );
}

export const authorizeMenus = requireRight(
  'edit_theme_options',
  'rest_cannot_view',
  'You are not allowed to view menus.',
);

/** Returns an empty list for a taxonomy without terms. */
export function handleListNoTerms(
  call: AnyCall & { query: { page: number; per_page: number } },
): ResultOf<typeof listMenus> {
  return collection([], 0, { page: call.query.page, perPage: call.query.per_page });
}
