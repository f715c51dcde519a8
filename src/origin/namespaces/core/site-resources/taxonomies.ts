import { listMenus, listPatternCategories, taxonomy as taxonomyResource, type Context } from '#contracts/core/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import type { Right } from '#origin/platform/registry/permissions.ts';
import { item, refuse, RestError, type Answer, type Call } from '#origin/platform/http/transport/index.ts';
import { addCuries } from '#origin/platform/content/link-row.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import { CATEGORY, TAG, type TermKind } from '#origin/platform/registry/term-kind.ts';
import { wireNamespace } from './types.ts';

type ContextCall = Call & { query: { context: Context } };

interface TaxonomyKind {
  taxonomy: string;
  name: string;
  /** Kinds of content that carry its terms. */
  types: readonly string[];
  /** Path of its collection. */
  base: string;
  /** Who may see it as its editors do. */
  right: Right;
}

const ofPosts = ({ taxonomy, base }: TermKind, name: string): TaxonomyKind => ({
  taxonomy,
  name,
  types: ['post'],
  base,
  right: 'edit_posts',
});

/** The kinds of terms that posts carry, and those that editors expect of every site. */
const KINDS: readonly TaxonomyKind[] = [
  ofPosts(CATEGORY, 'Categories'),
  ofPosts(TAG, 'Tags'),
  {
    taxonomy: 'nav_menu',
    name: 'Navigation Menus',
    types: ['nav_menu_item'],
    base: listMenus.path,
    right: 'edit_theme_options',
  },
  {
    taxonomy: 'wp_pattern_category',
    name: 'Pattern Categories',
    types: ['wp_block'],
    base: listPatternCategories.path,
    right: 'edit_posts',
  },
];

export function permitTaxonomies({ caller, query }: ContextCall): void {
  if (query.context === 'edit' && !can(caller, 'edit_posts'))
    throw refuse(caller, 'rest_cannot_view', 'You may not see kinds of terms as their editors do.');
}

/** Every kind of terms, by its name; as editors see them, only those that the caller may edit. */
export function answerTaxonomies(call: ContextCall & { query: { type?: string | undefined } }): Answer {
  const { type, context } = call.query;
  const shown = KINDS.filter(
    ({ types, right }) =>
      (type === undefined || types.includes(type)) && (context !== 'edit' || can(call.caller, right)),
  );
  return item(Object.fromEntries(shown.map(({ taxonomy }) => [taxonomy, presentTaxonomy(taxonomy, call)])));
}

export function permitTaxonomy(call: ContextCall & { params: { taxonomy: string } }): void {
  const { right } = findKind(call.params.taxonomy);
  if (call.query.context === 'edit' && !can(call.caller, right))
    throw refuse(call.caller, 'rest_forbidden_context', 'You may not see this kind of terms as its editors do.');
}

/** One kind of terms. */
export function answerTaxonomy(call: ContextCall & { params: { taxonomy: string } }): Answer {
  return item(presentTaxonomy(call.params.taxonomy, call));
}

function findKind(name: string): TaxonomyKind {
  const found = KINDS.find(({ taxonomy }) => taxonomy === name);
  if (!found) throw new RestError('rest_taxonomy_invalid', 404, 'There is no such kind of terms.');
  return found;
}

function presentTaxonomy(taxonomy: string, call: ContextCall): Record<string, unknown> {
  const { name, types, base } = findKind(taxonomy);
  const makers = {
    name: () => name,
    slug: () => taxonomy,
    description: () => '',
    types: () => types,
    hierarchical: () => taxonomy === CATEGORY.taxonomy,
    rest_base: () => base.split('/').at(-1),
    rest_namespace: () => wireNamespace(call),
    _links: () =>
      addCuries({
        collection: [{ href: call.addresses.rest('core/v2/taxonomies') }],
        'wp:items': [{ href: call.addresses.rest(base) }],
      }),
  };
  return presentFields(taxonomyResource, makers, { context: call.query.context, call });
}
