import type { z } from 'zod';
import { listTypes, type as typeResource, type Context, type getType } from '#contracts/core/index.ts';
import { toWirePath } from '#contracts/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import {
  item,
  type ResultOf,
  type AnyCall,
  type Call,
  type SelectedFields,
} from '#origin/platform/http/transport/index.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import { addCuries } from '#origin/platform/content/row-links.ts';
import { emptyAsList, presentFields } from '#origin/platform/http/present-fields.ts';

type ContextCall = AnyCall & { query: { context: Context } };

/** As editors see them, kinds of content are for who writes some. */
export function permitTypes({ caller, query, refuse }: Call<typeof listTypes>): void {
  if (query.context === 'edit' && !can(caller, 'edit_posts'))
    throw refuse('rest_cannot_view', 'You may not see kinds of content as their editors do.');
}

/** Every kind of content, by its name. */
export function answerTypes(call: ContextCall): ResultOf<typeof listTypes> {
  const kinds = [...call.context.kinds.values()].filter(({ type }) => call.fields.wants(type));
  return item(Object.fromEntries(kinds.map((kind) => [kind.type, emptyAsList(presentType(kind, call))])));
}

export function permitType(call: Call<typeof getType>): void {
  const kind = findKind(call);
  if (call.query.context === 'edit' && !can(call.caller, kind.rights.edit))
    throw call.refuse('rest_forbidden_context', 'You may not see this kind of content as its editors do.');
}

/** One kind of content. */
export function answerType(call: Call<typeof getType>): ResultOf<typeof getType> {
  return item(presentType(findKind(call), call));
}

function findKind({ params, context, refuse }: Call<typeof getType>): ContentKind {
  const kind = context.kinds.get(params.type);
  if (!kind) throw refuse('rest_type_invalid', 'There is no such kind of content.');
  return kind;
}

function presentType(kind: ContentKind, call: ContextCall): SelectedFields<z.input<typeof typeResource>> {
  const { addresses, query } = call;
  return presentFields(
    typeResource,
    {
      description: () => '',
      hierarchical: () => kind.isHierarchical,
      has_archive: () => false,
      name: () => kind.name,
      slug: () => kind.type,
      icon: () => kind.icon,
      taxonomies: () => kind.terms.map(({ taxonomy }) => taxonomy),
      rest_base: () => kind.base.split('/').at(-1) ?? '',
      rest_namespace: () => wireNamespace(kind.base, call),
      template: () => [],
      template_lock: () => false,
      _links: () =>
        addCuries({
          collection: [{ href: addresses.rest(listTypes.path) }],
          'wp:items': [{ href: addresses.rest(kind.base) }],
        }),
    },
    { context: query.context, call },
  );
}

/** The name on the wire of the namespace that a collection lies in. */
export function wireNamespace(base: string, { context }: Pick<AnyCall, 'context'>): string {
  return toWirePath(base.slice(0, base.lastIndexOf('/')), context.namespaces);
}
