import { and, eq, exists, sql, inArray, type SQL } from 'drizzle-orm';
import type { UserRow } from '#origin/platform/accounts/users.ts';
import { findByUrl, parseSiteUrl, isSamePath } from '#origin/platform/content/embeds.ts';
import type { TermRow } from '#origin/platform/content/content-url.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { Caller } from '#origin/platform/http/callers/caller.ts';
import type { ContentKind, ContentRow, TermKind } from '#origin/platform/registry/content-kind.ts';
import { content, term, user } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';

export type PageMatch =
  | { kind: 'content'; row: ContentRow }
  | { kind: 'term'; row: TermRow }
  | { kind: 'author'; row: UserRow }
  | { kind: 'archive'; of: ContentKind }
  | { kind: 'date'; year: number; month?: number; day?: number }
  | { kind: 'search'; phrase: string }
  | { kind: 'home' | '404' };

type PageContext = Pick<OriginContext, 'store' | 'kinds'>;

const DATE_PATH = /^(\d{4})(?:\/(0[1-9]|1[0-2])(?:\/(0[1-9]|[12]\d|3[01]))?)?$/;

/**
 * Finds the page of an address. Pages that the caller can't read result in "404". Ignores the trailing slash, the scheme
 * and the fragment; uses only content IDs and the search phrase of the query.
 */
export async function findPage(
  context: PageContext,
  site: string,
  address: string,
  caller: Caller,
): Promise<PageMatch> {
  const url = parseSiteUrl(site, address);
  if (!url) return { kind: '404' };
  const found = await findByUrl(context, site, address, caller);
  if (found) return { kind: 'content', row: found.row };
  const base = new URL(site).pathname.replace(/\/$/, '');
  const path = url.pathname.slice(base.length).replaceAll(/^\/|\/$/g, '');
  if (path === '') {
    // An unknown ID must not resolve to the home page.
    if ([...context.kinds.values()].some(({ idParameter }) => url.searchParams.has(idParameter)))
      return { kind: '404' };
    const phrase = url.searchParams.get('s');
    return phrase === null ? { kind: 'home' } : { kind: 'search', phrase };
  }
  const date = DATE_PATH.exec(path);
  if (date) {
    const [year = 0, month, day] = date.slice(1).flatMap((part) => (part ? [Number(part)] : []));
    return { kind: 'date', year, ...(month && { month }), ...(day && { day }) };
  }
  const of = [...context.kinds.values()].find(({ archive }) => archive !== undefined && isSamePath(archive, path));
  if (of) return { kind: 'archive', of };
  return (await findTerm(context, site, path)) ?? (await findAuthor(context, path)) ?? { kind: '404' };
}

async function findTerm(context: PageContext, site: string, path: string): Promise<PageMatch | undefined> {
  const [base, ...slugs] = path.toLowerCase().split('/');
  const kind = listTermKinds(context).find(({ slugBase }) => slugBase === base);
  const slug = slugs.at(-1);
  if (!kind || slug === undefined) return undefined;
  const [row] = await context.store.db
    .select()
    .from(term)
    .where(and(eq(term.taxonomy, kind.taxonomy), eq(term.slug, slug)));
  if (!row) return undefined;
  const tree = await loadTermTree(context, site, [row]);
  return isSamePath(new URL(tree.urlOf(row)).pathname, new URL(`${site}/${path}`).pathname)
    ? { kind: 'term', row }
    : undefined;
}

/** Finds pages of rows by their IDs. @param type content type, taxonomy or `user` */
export async function findPages(
  { store, kinds }: PageContext,
  type: string,
  ids: readonly number[],
): Promise<PageMatch[]> {
  const { db } = store;
  if (ids.length === 0) return [];
  if (kinds.has(type)) {
    const isMatch = and(inArray(content.id, [...ids]), eq(content.type, type));
    return (await db.select().from(content).where(isMatch)).map((row) => ({ kind: 'content', row }));
  }
  if (type === 'user') {
    const isMatch = inArray(user.id, [...ids]);
    return (await db.select().from(user).where(isMatch)).map((row) => ({ kind: 'author', row }));
  }
  const isMatch = and(inArray(term.id, [...ids]), eq(term.taxonomy, type));
  return (await db.select().from(term).where(isMatch)).map((row) => ({ kind: 'term', row }));
}

/** Finds an author with published posts. Names of other users are not public. */
async function findAuthor(context: PageContext, path: string): Promise<PageMatch | undefined> {
  const [, slug] = /^author\/([^/]+)$/i.exec(path) ?? [];
  if (slug === undefined) return undefined;
  const isMatch = and(eq(user.slug, slug.toLowerCase()), isPublicAuthor(context));
  const [row] = await context.store.db.select().from(user).where(isMatch);
  return row && { kind: 'author', row };
}

/** Selects active users with published posts. */
export function isPublicAuthor({ store }: PageContext): SQL | undefined {
  const posts = store.db
    .select({ one: sql`1` })
    .from(content)
    .where(and(eq(content.authorId, user.id), eq(content.type, 'post'), eq(content.status, 'publish')));
  return and(eq(user.active, true), exists(posts));
}

/** Returns the kinds of terms used by the site's kinds of content. */
export function listTermKinds({ kinds }: Pick<OriginContext, 'kinds'>): TermKind[] {
  const all = [...kinds.values()].flatMap(({ terms }) => terms);
  return [...new Map(all.map((kind) => [kind.taxonomy, kind])).values()];
}

/** True for kinds of content whose rows have editable heads. Pages of files are excluded. */
export function hasHeads(kind: ContentKind | undefined): kind is ContentKind {
  return kind !== undefined && kind.hasPage && !kind.isFile;
}

export function typesWithHeads({ kinds }: Pick<OriginContext, 'kinds'>): string[] {
  return [...kinds.values()].filter(hasHeads).map(({ type }) => type);
}

type TreeRow = Pick<TermRow, 'id' | 'parentId'>;

/** Returns the ancestors of a row, from the top. */
export function ancestorsOf<T extends TreeRow>(row: TreeRow, rowsById: ReadonlyMap<number, T>): T[] {
  const chain: T[] = [];
  const seen = new Set([row.id]);
  for (let above = rowsById.get(row.parentId); above && !seen.has(above.id); above = rowsById.get(above.parentId)) {
    seen.add(above.id);
    chain.unshift(above);
  }
  return chain;
}

export type TermTree = Awaited<ReturnType<typeof loadTermTree>>;

/** Loads all ancestors of terms, with one statement per level. They also determine the addresses of the terms. */
export async function loadTermTree(
  { store, kinds }: { store: { db: Pick<Database, 'select'> } } & Pick<OriginContext, 'kinds'>,
  site: string,
  rows: readonly TermRow[],
) {
  const termsById = new Map(rows.map((row) => [row.id, row]));
  const parentsOf = (terms: readonly TermRow[]) => [
    ...new Set(terms.map(({ parentId }) => parentId).filter((id) => id !== 0 && !termsById.has(id))),
  ];
  for (let missingIds = parentsOf(rows); missingIds.length > 0;) {
    const level = await store.db.select().from(term).where(inArray(term.id, missingIds));
    for (const row of level) termsById.set(row.id, row);
    missingIds = parentsOf(level);
  }
  const bases = new Map(listTermKinds({ kinds }).map(({ taxonomy, slugBase }) => [taxonomy, slugBase]));
  const above = (row: TermRow) => ancestorsOf(row, termsById);
  const urlOf = (row: TermRow) =>
    `${[site, bases.get(row.taxonomy) ?? row.taxonomy, ...above(row).map(({ slug }) => slug), row.slug].join('/')}/`;
  return { above, urlOf };
}
