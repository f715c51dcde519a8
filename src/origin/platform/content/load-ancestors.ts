import { inArray, eq, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { AnyCall, Memo } from '#origin/platform/http/transport/index.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import type { Database } from '#origin/platform/store/store.ts';

/** What of a row above another one is needed for addresses and rights. */
export type Ancestor = Pick<
  ContentRow,
  'id' | 'type' | 'status' | 'statusBeforeTrash' | 'slug' | 'authorId' | 'parentId' | 'date'
>;

/** The same, to be selected. */
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

/**
 * Everything above a row, as a column of a statement that finds the row anyway.
 *
 * @param parentId of the row
 */
export function ancestorsColumn(parentId: SQLWrapper): SQL<Ancestor[] | null> {
  const columns = sql.raw('p.id, p.type, p.status, p.status_before_trash, p.slug, p.author_id, p.parent_id, p.date');
  // In a statement of its own, lest the query builder takes the table's name away from the column.
  const parent = sql`${parentId}`;
  return sql`case when ${parent} = 0 then null else (
    with recursive above as (
      select ${columns} from ${content} p where p.id = ${parent}
      union
      select ${columns} from ${content} p join above on p.id = above.parent_id
    )
    select json_agg(json_build_object('id', id, 'type', type, 'status', status, 'statusBeforeTrash', status_before_trash,
      'slug', slug, 'authorId', author_id, 'parentId', parent_id, 'date', date::text)) from above
  ) end`;
}

export function ancestorsById(found: readonly Ancestor[] | null): ReadonlyMap<number, Ancestor> {
  return new Map(found?.map((row) => [row.id, row]));
}

/** Where a row is kept for the whole request. */
export function keptRowKey(id: number): string {
  return `kept content ${id}`;
}

/** Rows of an answer, for what is embedded in it or stands above or below them. */
export function keepRows({ requestMemo }: Pick<AnyCall, 'requestMemo'>, rows: readonly ContentRow[]): void {
  for (const row of rows) requestMemo.keep(keptRowKey(row.id), row);
}

/**
 * Everything above some rows, by id: one statement for each level, however many rows there are.
 *
 * @param memo of a request that reads: what it has kept is not loaded again, and with others' rows at once
 */
export async function loadAncestors(
  db: Database,
  rows: readonly Pick<ContentRow, 'parentId'>[],
  memo?: Memo,
): Promise<ReadonlyMap<number, Ancestor>> {
  const found = new Map<number, Ancestor>();
  let wanted = parentsOf(rows);
  const asked = new Set<number>();
  while (wanted.length > 0) {
    for (const id of wanted) asked.add(id);
    const level = await loadLevel(db, wanted, memo);
    for (const row of level) found.set(row.id, row);
    wanted = parentsOf(level).filter((id) => !asked.has(id));
  }
  return found;
}

async function loadLevel(db: Database, ids: readonly number[], memo?: Memo): Promise<Ancestor[]> {
  const load = (wanted: readonly number[]) =>
    db
      .select(ANCESTOR_COLUMNS)
      .from(content)
      .where(inArray(content.id, [...wanted]));
  if (!memo) return load(ids);
  const kept = await Promise.all(ids.flatMap((id) => memo.known<ContentRow>(keptRowKey(id)) ?? []));
  const keptIds = new Set(kept.map(({ id }) => id));
  const left = ids.filter((id) => !keptIds.has(id));
  if (left.length === 0) return kept;
  const found = await memo.gather(
    'ancestors',
    left,
    async (wanted) => new Map((await load(wanted)).map((row) => [row.id, row] as const)),
  );
  return [...kept, ...left.flatMap((id) => found.get(id) ?? [])];
}

function parentsOf(rows: readonly Pick<ContentRow, 'parentId'>[]): number[] {
  return [...new Set(rows.map(({ parentId }) => parentId))].filter((id) => id !== 0);
}

export type TermRow = typeof term.$inferSelect;

/** The terms of some rows of content, by the row's id, each list ordered by name: one statement. */
export async function loadTerms(
  db: Database,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly TermRow[]>> {
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ contentId: contentTerm.contentId, term })
    .from(contentTerm)
    .innerJoin(term, eq(term.id, contentTerm.termId))
    .where(inArray(contentTerm.contentId, [...ids]));
  const ordered = found.toSorted((a, b) => a.term.name.localeCompare(b.term.name, 'en') || a.term.id - b.term.id);
  const grouped = Map.groupBy(ordered, ({ contentId }) => contentId);
  return new Map([...grouped].map(([id, rows]) => [id, rows.map((row) => row.term)]));
}
