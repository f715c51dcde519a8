import { type as typeResource, type Context } from '#contracts/core/index.ts';
import { toWirePath } from '#contracts/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { item, refuse, RestError, type Answer, type Call } from '#origin/platform/http/transport/index.ts';
import { CONTENT_KINDS, type ContentKind, type ContentType } from '#origin/platform/registry/content-kind.ts';
import { addCuries } from '#origin/platform/content/link-row.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';

type ContextCall = Call & { query: { context: Context } };

const NAMES: Readonly<Record<ContentType, { name: string; icon: string }>> = {
  post: { name: 'Posts', icon: 'dashicons-admin-post' },
  page: { name: 'Pages', icon: 'dashicons-admin-page' },
  attachment: { name: 'Media', icon: 'dashicons-admin-media' },
  wp_navigation: { name: 'Navigation Menus', icon: 'dashicons-menu' },
};

/** As editors see them, kinds of content are for who writes some. */
export function permitTypes({ caller, query }: ContextCall): void {
  if (query.context === 'edit' && !can(caller, 'edit_posts'))
    throw refuse(caller, 'rest_cannot_view', 'You may not see kinds of content as their editors do.');
}

/** Every kind of content, by its name. */
export function answerTypes(call: ContextCall): Answer {
  const kinds = Object.values(CONTENT_KINDS).filter(({ type }) => call.fields.wants(type));
  return item(Object.fromEntries(kinds.map((kind) => [kind.type, orList(presentType(kind, call))])));
}

export function permitType(call: ContextCall & { params: { type: string } }): void {
  const kind = findKind(call.params.type);
  if (call.query.context === 'edit' && !can(call.caller, kind.rights.edit))
    throw refuse(call.caller, 'rest_forbidden_context', 'You may not see this kind of content as its editors do.');
}

/** One kind of content. */
export function answerType(call: ContextCall & { params: { type: string } }): Answer {
  return item(presentType(findKind(call.params.type), call));
}

function findKind(name: string): ContentKind {
  const kind = Object.values(CONTENT_KINDS).find(({ type }) => type === name);
  if (!kind) throw new RestError('rest_type_invalid', 404, 'There is no such kind of content.');
  return kind;
}

function presentType(kind: ContentKind, call: ContextCall): Record<string, unknown> {
  const { addresses, query } = call;
  const makers = {
    description: () => '',
    hierarchical: () => kind.type === 'page',
    has_archive: () => false,
    name: () => NAMES[kind.type].name,
    slug: () => kind.type,
    icon: () => NAMES[kind.type].icon,
    taxonomies: () => (kind.type === 'post' ? ['category', 'post_tag'] : []),
    rest_base: () => kind.base.split('/').at(-1),
    rest_namespace: () => wireNamespace(call),
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

/** The name of this namespace on the wire. */
export function wireNamespace({ context }: Pick<Call, 'context'>): string {
  return toWirePath('core/v2', context.namespaces);
}

/** An empty map prints as a list. */
export function orList(shown: Record<string, unknown>): unknown {
  return Object.keys(shown).length === 0 ? [] : shown;
}
