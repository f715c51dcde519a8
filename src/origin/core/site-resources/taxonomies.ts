import { taxonomy as taxonomyResource, type Context } from '../../../contracts/core/index.ts';
import { can } from '../../publishing/callers/index.ts';
import { item, refuse, RestError, type Answer, type Call } from '../../publishing/transport/index.ts';
import { addCuries } from '../content/link-row.ts';
import { presentFields } from '../present-fields.ts';
import { CATEGORY, TAG, type TermKind } from '../terms/term-kind.ts';
import { wireNamespace } from './types.ts';

type ContextCall = Call & { query: { context: Context } };

const KINDS: readonly { kind: TermKind; name: string }[] = [
  { kind: CATEGORY, name: 'Categories' },
  { kind: TAG, name: 'Tags' },
];

export function permitTaxonomies({ caller, query }: ContextCall): void {
  if (query.context === 'edit' && !can(caller, 'edit_posts'))
    throw refuse(caller, 'rest_cannot_view', 'You may not see kinds of terms as their editors do.');
}

/** Every kind of terms, by its name; only posts carry any. */
export function answerTaxonomies(call: ContextCall & { query: { type?: string | undefined } }): Answer {
  const { type } = call.query;
  const shown = type === undefined || type === 'post' ? KINDS : [];
  return item(Object.fromEntries(shown.map(({ kind }) => [kind.taxonomy, presentTaxonomy(kind.taxonomy, call)])));
}

export function permitTaxonomy(call: ContextCall & { params: { taxonomy: string } }): void {
  findKind(call.params.taxonomy);
  if (call.query.context === 'edit' && !can(call.caller, 'edit_posts'))
    throw refuse(call.caller, 'rest_forbidden_context', 'You may not see this kind of terms as its editors do.');
}

/** One kind of terms. */
export function answerTaxonomy(call: ContextCall & { params: { taxonomy: string } }): Answer {
  return item(presentTaxonomy(call.params.taxonomy, call));
}

function findKind(name: string): (typeof KINDS)[number] {
  const found = KINDS.find(({ kind }) => kind.taxonomy === name);
  if (!found) throw new RestError('rest_taxonomy_invalid', 404, 'There is no such kind of terms.');
  return found;
}

function presentTaxonomy(taxonomy: string, call: ContextCall): Record<string, unknown> {
  const { kind, name } = findKind(taxonomy);
  const makers = {
    name: () => name,
    slug: () => kind.taxonomy,
    description: () => '',
    types: () => ['post'],
    hierarchical: () => kind === CATEGORY,
    rest_base: () => kind.parameter,
    rest_namespace: () => wireNamespace(call),
    _links: () =>
      addCuries({
        collection: [{ href: call.addresses.rest('core/v2/taxonomies') }],
        'wp:items': [{ href: call.addresses.rest(kind.base) }],
      }),
  };
  return presentFields(taxonomyResource, makers, { context: call.query.context, call });
}
