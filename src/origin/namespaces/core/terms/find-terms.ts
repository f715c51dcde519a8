import {
  and,
  asc,
  count,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  notInArray,
  or,
  sql,
  type SQL,
  ne,
} from 'drizzle-orm';
import { type listTags, getTaxonomy, listPosts } from '#contracts/core/routes.ts';
import { type RouteQuery, fillPath } from '#contracts/index.ts';
import {
  bytewise,
  isInWindow,
  rankWithin,
  positionIn,
  readTotal,
  readWindow,
  totalColumn,
  type RowWindow,
} from '#origin/platform/content/find-content.ts';
import type { TermRow } from '#origin/platform/content/content-url.ts';
import { cutSlug, MAX_SLUG_BYTES } from '#origin/platform/content/slugs.ts';
import { foldColumn, matchesTerm } from '#origin/platform/search/search-condition.ts';
import type { AnyCall, SelectedFields } from '#origin/platform/http/transport/call.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';
import type { z } from 'zod';
import { category, tag } from '#contracts/core/term.ts';
import type { Context } from '#contracts/core/field.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { addCuries, type Links } from '#origin/platform/content/content-view.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import type { TermKind } from '#origin/platform/registry/content-kind.ts';

/** A term with the number of its published posts. */
export type TermWithCount = TermRow & { count: number };

export interface TermFilter {
  /** One or several taxonomies. */
  taxonomy: string | readonly string[];
  ids?: readonly number[];
  notIds?: readonly number[];
  slugs?: readonly string[];
  parentId?: number | undefined;
  search?: string | undefined;
  onlyUsed?: boolean;
  /** Skips counting posts if false, since counting takes time in proportion to the posts. @default true */
  isCounted?: boolean;
}

export interface TermOrder {
  by: RouteQuery<typeof listTags>['orderby'];
  direction: 'asc' | 'desc';
}

/** Finds the matching terms of one page, and the total number of matches. */
export async function findTerms(
  db: Database,
  filter: TermFilter,
  order: TermOrder,
  { limit, offset }: RowWindow,
): Promise<{ rows: TermWithCount[]; total: number }> {
  const uses = countUses(db);
  const condition = termCondition(filter, uses);
  const counted = db.select({ total: count() }).from(term).where(condition);
  const found = await db
    .select({ term, count: uses, total: totalColumn(counted) })
    .from(term)
    .where(condition)
    .orderBy(...ordering(order, filter, uses))
    .limit(limit)
    .offset(offset);
  return {
    rows: found.map((row) => ({ ...row.term, count: Number(row.count) })),
    total: await readTotal(found, offset, () => counted),
  };
}

/** Finds the terms of one content row. Lookups for all rows of a response are batched into one query. */
export async function findContentTerms(
  { context, requestMemo }: Pick<AnyCall, 'context' | 'requestMemo'>,
  contentId: number,
  { taxonomy, ...filter }: TermFilter & { taxonomy: string },
  order: TermOrder,
  window: RowWindow,
): Promise<{ rows: TermWithCount[]; total: number }> {
  const { db } = context.store;
  const key = `terms ${JSON.stringify([filter, order, window])}`;
  // Loads all taxonomies at once, since most clients request each of them.
  const found = await requestMemo.gather(key, [contentId], async (ids) => {
    const uses = countUses(db);
    const group = sql`${contentTerm.contentId}, ${term.taxonomy}`;
    const numbered = db
      .select({
        ...getTableColumns(term),
        carrier: contentTerm.contentId,
        count: (filter.isCounted === false ? sql<number>`0` : uses).mapWith(Number).as('uses'),
        ...rankWithin(group, ordering(order, filter, uses)),
      })
      .from(term)
      .innerJoin(contentTerm, eq(contentTerm.termId, term.id))
      .where(and(termCondition(filter, uses), inArray(contentTerm.contentId, ids)))
      .as('numbered');
    const rows = await db.select().from(numbered).where(isInWindow(numbered, window)).orderBy(asc(numbered.place));
    return Map.groupBy(rows, ({ carrier }) => carrier);
  });
  const terms = found.get(contentId)?.filter((row) => row.taxonomy === taxonomy);
  return readWindow(terms, window);
}

function countUses(db: Database): SQL<number> {
  const published = db
    .select({ uses: count() })
    .from(contentTerm)
    .innerJoin(content, eq(content.id, contentTerm.contentId))
    .where(and(eq(contentTerm.termId, term.id), eq(content.status, 'publish')));
  return sql<number>`(${published})`;
}

function termCondition(filter: Partial<TermFilter>, uses: SQL): SQL | undefined {
  const { ids = [], notIds = [], slugs = [], search } = filter;
  return and(
    filter.taxonomy === undefined ? undefined : inArray(term.taxonomy, [filter.taxonomy].flat()),
    ids.length > 0 ? inArray(term.id, [...ids]) : undefined,
    notIds.length > 0 ? notInArray(term.id, [...notIds]) : undefined,
    slugs.length > 0 ? inArray(term.slug, [...slugs]) : undefined,
    filter.parentId === undefined ? undefined : eq(term.parentId, filter.parentId),
    search ? or(matchesTerm(term.name, search), matchesTerm(term.slug, search)) : undefined,
    filter.onlyUsed ? gt(uses, 0) : undefined,
  );
}

function ordering({ by, direction }: TermOrder, { ids = [], slugs = [] }: Partial<TermFilter>, uses: SQL): SQL[] {
  const sort = direction === 'asc' ? asc : desc;
  const keys = {
    id: term.id,
    term_group: term.id,
    name: bytewise(foldColumn(term.name)),
    slug: bytewise(foldColumn(term.slug)),
    description: bytewise(foldColumn(term.description)),
    count: uses,
  };
  if (by === 'include') return [...positionIn(term.id, ids), asc(term.id)];
  if (by === 'include_slugs') return [...positionIn(term.slug, slugs), asc(term.id)];
  return [sort(keys[by]), sort(term.id)];
}

/**
 * Finds a slug that is free within the taxonomy. Tries the slug itself, then the slug with those of its ancestors,
 * then suffixes `-2`, `-3`, …. Call it within `writeContent`.
 *
 * @param above ancestors of the term, nearest first
 */
export async function findFreeTermSlug(
  tx: Transaction,
  slug: string,
  owner: { id?: number | undefined; taxonomy: string },
  above: readonly Pick<TermRow, 'slug'>[],
): Promise<string> {
  const withParents = above.map((_, depth) => [slug, ...above.slice(0, depth + 1).map((row) => row.slug)].join('-'));
  const longest = withParents.at(-1) ?? slug;
  for (let first = 2, many = 10; ; first += many, many *= 4) {
    const numbered = Array.from({ length: many }, (_, i) => {
      const suffix = `-${first + i}`;
      return cutSlug(longest, MAX_SLUG_BYTES - suffix.length) + suffix;
    });
    const candidates = [slug, ...withParents.filter(({ length }) => length <= MAX_SLUG_BYTES), ...numbered];
    const taken = await findTakenSlugs(tx, candidates, owner);
    const free = candidates.find((candidate) => !taken.has(candidate));
    if (free !== undefined) return free;
  }
}

async function findTakenSlugs(
  tx: Transaction,
  slugs: readonly string[],
  { id, taxonomy }: { id?: number | undefined; taxonomy: string },
): Promise<Set<string>> {
  const found = await tx
    .select({ slug: term.slug })
    .from(term)
    .where(
      and(eq(term.taxonomy, taxonomy), inArray(term.slug, [...slugs]), id === undefined ? undefined : ne(term.id, id)),
    );
  return new Set(found.map((row) => row.slug));
}

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
