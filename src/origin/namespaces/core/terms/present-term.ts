import { fillPath } from '#contracts/index.ts';
import type { z } from 'zod';
import { category, tag } from '#contracts/core/term.ts';
import { getTaxonomy, listPosts } from '#contracts/core/routes.ts';
import type { Context } from '#contracts/core/field.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import type { AnyCall, SelectedFields } from '#origin/platform/http/transport/call.ts';
import { addCuries, type Links } from '#origin/platform/content/content-view.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import type { TermWithCount } from './find-terms.ts';
import type { TermKind } from '#origin/platform/registry/content-kind.ts';

/** JSON of a category. Tags have the same fields except `parent`. */
export type PresentedTerm = SelectedFields<z.input<typeof category>>;

export interface TermView {
  call: AnyCall;
  kind: TermKind;
  context: Context;
  /** Returns the slugs of a term's ancestors, root first. */
  slugsAbove: (term: TermWithCount) => readonly string[];
}

/** Converts a category or tag to JSON. */
export function presentTerm(row: TermWithCount, view: TermView): PresentedTerm {
  const { kind } = view;
  const fields = {
    id: () => row.id,
    count: () => row.count,
    description: () => row.description,
    link: () => termUrl(row, view),
    name: () => row.name,
    slug: () => row.slug,
    taxonomy: () => row.taxonomy,
    parent: () => row.parentId,
    meta: () => [] as [],
    _links: () => linkTerm(row, view),
  };
  return kind.taxonomy === 'category' ? presentFields(category, fields, view) : presentFields(tag, fields, view);
}

/** Returns the URL of a term's page on the site. */
export function termUrl(row: TermWithCount, { call, kind, slugsAbove }: Omit<TermView, 'context'>): string {
  return `${[call.addresses.site, kind.slugBase, ...slugsAbove(row), row.slug].join('/')}/`;
}

export function linkTerm(row: TermWithCount, { call, kind }: Pick<TermView, 'call' | 'kind'>): Links {
  const href = (path: string) => call.addresses.rest(path);
  const canWrite = can(call.caller, 'manage_categories');
  const allow = call.methodsOn(`${kind.base}/<id>`).filter((method) => method === 'GET' || canWrite);
  return addCuries({
    self: [{ href: href(`${kind.base}/${row.id}`), targetHints: { allow } }],
    collection: [{ href: href(kind.base) }],
    about: [{ href: href(fillPath(getTaxonomy.path, { taxonomy: kind.taxonomy })) }],
    ...(row.parentId === 0 ? {} : { up: [{ embeddable: true, href: href(`${kind.base}/${row.parentId}`) }] }),
    'wp:post_type': [{ href: `${href(listPosts.path)}?${kind.parameter}=${row.id}` }],
  });
}
