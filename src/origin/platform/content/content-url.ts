import { getKind, type ContentKinds, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { eq, inArray } from 'drizzle-orm';
import type { Memo } from '#origin/platform/context/origin-context.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { runForIds, type Database } from '#origin/platform/store/store.ts';

/** Columns of an ancestor that determine addresses and rights. */
export const ANCESTOR_COLUMNS = {
  id: content.id,
  type: content.type,
  status: content.status,
  statusBeforeTrash: content.statusBeforeTrash,
  slug: content.slug,
  authorId: content.authorId,
  parentId: content.parentId,
  date: content.date,
};

export type Ancestor = Pick<ContentRow, keyof typeof ANCESTOR_COLUMNS>;

/**
 * Loads all ancestors of rows by ID, with one statement per level.
 *
 * @param memo cache of a reading request; batches loads with those of other rows
 */
export async function loadAncestors(
  db: Database,
  rows: readonly Pick<ContentRow, 'parentId'>[],
  memo?: Memo,
): Promise<ReadonlyMap<number, Ancestor>> {
  const load = async (ids: readonly number[]): Promise<ReadonlyMap<number, Ancestor>> => {
    const loaded = await runForIds(db, 'ancestors', ids, (list, name) =>
      db.select(ANCESTOR_COLUMNS).from(content).where(inArray(content.id, list)).prepare(name),
    );
    return new Map(loaded.map((row) => [row.id, row]));
  };
  const found = new Map<number, Ancestor>();
  const requestedIds = new Set([0]);
  for (let level = rows; ;) {
    const missing = [...new Set(level.map(({ parentId }) => parentId))].filter((id) => !requestedIds.has(id));
    if (missing.length === 0) return found;
    for (const id of missing) requestedIds.add(id);
    // Loads of other rows share the batch, so it may contain more.
    const loaded = memo ? await memo.gather('ancestors', missing, load) : await load(missing);
    const above = missing.flatMap((id) => loaded.get(id) ?? []);
    for (const row of above) found.set(row.id, row);
    level = above;
  }
}

export type TermRow = typeof term.$inferSelect;

/** Loads the terms of content rows by row ID, ordered by name, in one statement. */
export async function loadTerms(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly TermRow[]>> {
  if (ids.length === 0) return new Map();
  const found = await runForIds(db, 'terms of content', ids, (list, name) =>
    db
      .select({ contentId: contentTerm.contentId, term })
      .from(contentTerm)
      .innerJoin(term, eq(term.id, contentTerm.termId))
      .where(inArray(contentTerm.contentId, list))
      .prepare(name),
  );
  const ordered = found.toSorted((a, b) => a.term.name.localeCompare(b.term.name, 'en') || a.term.id - b.term.id);
  const grouped = Map.groupBy(ordered, ({ contentId }) => contentId);
  return new Map([...grouped].map(([id, rows]) => [id, rows.map((row) => row.term)]));
}

type Linked = Pick<ContentRow, 'id' | 'type' | 'status' | 'slug' | 'parentId'>;
type Ancestors = ReadonlyMap<number, Pick<Ancestor, 'id' | 'type' | 'status' | 'slug' | 'parentId'>>;

/** Statuses of rows without public address. */
const UNADDRESSED = new Set(['draft', 'pending', 'future', 'trash', 'auto-draft']);

/** Address of the site and its content kinds. */
interface SiteUrls {
  site: string;
  kinds: ContentKinds;
}

/** Returns the address of a row's page. */
export function getContentUrl(row: Linked, base: SiteUrls, ancestors: Ancestors): string {
  const { site } = base;
  const kind = getKind(row, base.kinds);
  const plain = `${site}/?${kind.idParameter}=${row.id}`;
  if (UNADDRESSED.has(row.status) || !kind.hasPage) return plain;
  if (kind.isHierarchical) return `${site}/${pagePath(row, ancestors)}/`;
  if (!kind.isFile || row.parentId === 0) return `${site}/${row.slug}/`;
  const parent = ancestors.get(row.parentId);
  if (!parent || UNADDRESSED.has(parent.status)) return plain;
  return `${getContentUrl(parent, base, ancestors)}${row.slug}/`;
}

export function getAuthorUrl({ slug }: { slug: string }, site: string): string {
  return `${site}/author/${slug}/`;
}

/** Returns the address with a placeholder for the slug. */
export function getUrlTemplate(row: Linked, base: SiteUrls, ancestors: Ancestors): string {
  const { isFile, isHierarchical, idParameter } = getKind(row, base.kinds);
  if (isFile || row.status === 'trash') return `${base.site}/?${idParameter}=${row.id}`;
  if (!isHierarchical) return `${base.site}/%postname%/`;
  return `${base.site}/${pagePath({ ...row, slug: '%pagename%' }, ancestors)}/`;
}

/** Returns the slugs of a page and its ancestors. */
function pagePath(page: Linked, ancestors: Ancestors): string {
  const slugs = [page.slug];
  const seen = new Set([page.id]);
  for (let above = ancestors.get(page.parentId); above && !seen.has(above.id); above = ancestors.get(above.parentId)) {
    slugs.unshift(above.slug);
    seen.add(above.id);
  }
  return slugs.join('/');
}
