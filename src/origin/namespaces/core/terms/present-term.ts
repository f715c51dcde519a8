import { fillPath } from '#contracts/index.ts';
import type { z } from 'zod';
import { category, getTaxonomy, listPosts, tag, type Context } from '#contracts/core/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import type { AnyCall, SelectedFields } from '#origin/platform/http/transport/index.ts';
import { addCuries, type Links } from '#origin/platform/content/row-links.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import type { CountedTerm } from './find-terms.ts';
import type { TermKind } from '#origin/platform/registry/term-kind.ts';

/** A tag is a term without a parent. */
export type ShownTerm = SelectedFields<z.input<typeof category>>;

export interface TermView {
  call: AnyCall;
  kind: TermKind;
  context: Context;
  /** Slugs of the categories above one, from the top. */
  slugsAbove: (term: CountedTerm) => readonly string[];
}

/** A category or tag as the wire shows it. */
export function presentTerm(row: CountedTerm, view: TermView): ShownTerm {
  const { kind } = view;
  const makers = {
    id: () => row.id,
    count: () => row.count,
    description: () => row.description,
    link: () => termAddress(row, view),
    name: () => row.name,
    slug: () => row.slug,
    taxonomy: () => row.taxonomy,
    parent: () => row.parentId,
    meta: () => [] as [],
    _links: () => linkTerm(row, view),
  };
  return kind.taxonomy === 'category' ? presentFields(category, makers, view) : presentFields(tag, makers, view);
}

/** The address of a term's page on the site. */
export function termAddress(row: CountedTerm, { call, kind, slugsAbove }: Omit<TermView, 'context'>): string {
  return `${[call.addresses.site, kind.slugBase, ...slugsAbove(row), row.slug].join('/')}/`;
}

export function linkTerm(row: CountedTerm, { call, kind }: Pick<TermView, 'call' | 'kind'>): Links {
  const href = (path: string) => call.addresses.rest(path);
  const mayChange = can(call.caller, 'manage_categories');
  const allow = call.methodsOn(`${kind.base}/<id>`).filter((method) => method === 'GET' || mayChange);
  return addCuries({
    self: [{ href: href(`${kind.base}/${row.id}`), targetHints: { allow } }],
    collection: [{ href: href(kind.base) }],
    about: [{ href: href(fillPath(getTaxonomy.path, { taxonomy: kind.taxonomy })) }],
    ...(row.parentId === 0 ? {} : { up: [{ embeddable: true, href: href(`${kind.base}/${row.parentId}`) }] }),
    'wp:post_type': [{ href: `${href(listPosts.path)}?${kind.parameter}=${row.id}` }],
  });
}
