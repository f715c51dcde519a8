import { type as typeResource, type Context } from '#contracts/core/index.ts';
import { toWirePath } from '#contracts/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { item, refuse, RestError, type Answer, type Call } from '#origin/platform/http/transport/index.ts';
import type { ContentKind } from '#origin/platform/registry/content-kind.ts';
import { addCuries } from '#origin/platform/content/link-row.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';

type ContextCall = Call & { query: { context: Context } };

/** As editors see them, kinds of content are for who writes some. */
export function permitTypes({ caller, query }: ContextCall): void {
  if (query.context === 'edit' && !can(caller, 'edit_posts'))
    throw refuse(caller, 'rest_cannot_view', 'You may not see kinds of content as their editors do.');
}

/** Every kind of content, by its name. */
export function answerTypes(call: ContextCall): Answer {
  const kinds = [...call.context.kinds.values()].filter(({ type }) => call.fields.wants(type));
  return item(Object.fromEntries(kinds.map((kind) => [kind.type, orList(presentType(kind, call))])));
}

export function permitType(call: ContextCall & { params: { type: string } }): void {
  const kind = findKind(call);
  if (call.query.context === 'edit' && !can(call.caller, kind.rights.edit))
    throw refuse(call.caller, 'rest_forbidden_context', 'You may not see this kind of content as its editors do.');
}

/** One kind of content. */
export function answerType(call: ContextCall & { params: { type: string } }): Answer {
  return item(presentType(findKind(call), call));
}

function findKind({ context, params }: Pick<Call, 'context'> & { params: { type: string } }): ContentKind {
  const kind = context.kinds.get(params.type);
  if (!kind) throw new RestError('rest_type_invalid', 404, 'There is no such kind of content.');
  return kind;
}

function presentType(kind: ContentKind, call: ContextCall): Record<string, unknown> {
  const { addresses, query } = call;
  const makers = {
    description: () => '',
    hierarchical: () => kind.isHierarchical,
    has_archive: () => false,
    name: () => kind.name,
    slug: () => kind.type,
    icon: () => kind.icon,
    taxonomies: () => kind.terms.map(({ taxonomy }) => taxonomy),
    rest_base: () => kind.base.split('/').at(-1),
    rest_namespace: () => wireNamespace(kind.base, call),
    template: () => [],
    template_lock: () => false,
    _links: () =>
      addCuries({
        collection: [{ href: addresses.rest('core/v2/types') }],
        'wp:items': [{ href: addresses.rest(kind.base) }],
      }),
  };
  return presentFields(typeResource, makers, { context: query.context, call });
}

/** The name on the wire of the namespace that a collection lies in. */
export function wireNamespace(base: string, { context }: Pick<Call, 'context'>): string {
  return toWirePath(base.slice(0, base.lastIndexOf('/')), context.namespaces);
}

/** An empty map prints as a list. */
export function orList(shown: Record<string, unknown>): unknown {
  return Object.keys(shown).length === 0 ? [] : shown;
}
