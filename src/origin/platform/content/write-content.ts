import { sql, and, desc, eq } from 'drizzle-orm';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { retryTransaction, sqlState, type Transaction } from '#origin/platform/store/query-errors.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { option, content } from '#origin/platform/store/schema.ts';

/** The meta value that revisions include. */
const REVISION_META = 'footnotes';

const LOCK = 'content lock';
const EXISTS_ALREADY = '23505';
const ATTEMPTS = 3;

/**
 * Runs a write of content or terms in a transaction, exclusive among all such writes of all processes.
 *
 * `run` may be called several times. Its timestamp is taken after the lock, so that modification dates are in order
 * of the changes.
 */
export async function writeContent<T>(db: Database, run: (tx: Transaction, now: Date) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await retryTransaction(db, async (tx) => {
        // The written row blocks other transactions until commit, on every engine.
        const set = { value: sql`excluded.value` };
        await tx.insert(option).values({ name: LOCK, value: {} }).onConflictDoUpdate({ target: option.name, set });
        return run(tx, new Date());
      });
    } catch (error) {
      // A writer without the lock took the slug concurrently; the retry will see it.
      if (attempt === ATTEMPTS || sqlState(error) !== EXISTS_ALREADY) throw error;
    }
  }
}

/** Adds a revision unless the latest one equals the row. */
export async function saveRevision(tx: Transaction, row: ContentRow, authorId: number): Promise<void> {
  const slug = revisionSlug(row.id);
  const [newest] = await tx
    .select()
    .from(content)
    .where(and(eq(content.type, 'revision'), eq(content.parentId, row.id), eq(content.slug, slug)))
    .orderBy(desc(content.id))
    .limit(1);
  if (newest && hasSameText(newest, row)) return;
  await tx.insert(content).values({
    type: 'revision',
    status: 'inherit',
    slug,
    parentId: row.id,
    authorId,
    title: row.title,
    content: row.content,
    excerpt: row.excerpt,
    meta: pickRevisionMeta(row.meta),
    date: row.modified,
    dateGmt: row.modifiedGmt,
    modified: row.modified,
    modifiedGmt: row.modifiedGmt,
  });
}

export function revisionSlug(parentId: number): string {
  return `${parentId}-revision-v1`;
}

export function autosaveSlug(parentId: number): string {
  return `${parentId}-autosave-v1`;
}

/** Returns the meta values that revisions include. */
export function pickRevisionMeta(meta: Readonly<Record<string, string>>): Record<string, string> {
  const value = meta[REVISION_META];
  return value === undefined ? {} : { [REVISION_META]: value };
}

function hasSameText(a: ContentRow, b: ContentRow): boolean {
  return (
    a.title === b.title &&
    a.content === b.content &&
    a.excerpt === b.excerpt &&
    (a.meta[REVISION_META] ?? '') === (b.meta[REVISION_META] ?? '')
  );
}
