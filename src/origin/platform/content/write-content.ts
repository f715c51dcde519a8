import { sql, and, desc, eq } from 'drizzle-orm';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';
import { prepareOnce } from '#origin/platform/store/prepare-once.ts';
import {
  retryTransaction,
  sqlState,
  type Database,
  type SendLast,
  type Transaction,
} from '#origin/platform/store/index.ts';
import { option, content } from '#origin/platform/store/schema.ts';

/** The meta value that is part of what was written. */
const KEPT_META = 'footnotes';

const LOCK = 'content lock';
const EXISTS_ALREADY = '23505';
const ATTEMPTS = 3;

/**
 * Runs a write of content or terms in one transaction, alone among all such writes of all processes: what it reads
 * of slugs, parents and texts stays true until it is done. `run` may be called several times. It is given the moment
 * from which it was alone: dates of changes follow each other as the changes do, however long one has waited.
 *
 * @param ask what `run` needs whatever it decides, in one statement: goes with the request to be alone, and is answered
 *   when that is
 */
export async function writeContent<T, Asked = undefined>(
  db: Database,
  run: (tx: Transaction, now: Date, asked: Asked | undefined, last: SendLast) => Promise<T>,
  ask?: ((tx: Transaction) => Promise<Asked>) | undefined,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await retryTransaction(db, async (tx, last) => {
        const [, asked] = await Promise.all([lockStatement(tx), ask?.(tx)]);
        return run(tx, new Date(), asked, last);
      });
    } catch (error) {
      // Something that writes without the lock was faster with a slug: the next try sees it.
      if (attempt === ATTEMPTS || sqlState(error) !== EXISTS_ALREADY) throw error;
    }
  }
}

/** A row that is written holds others up until the transaction ends, on every engine. */
const lockStatement = prepareOnce((db) =>
  db
    .insert(option)
    .values({ name: LOCK, value: {} })
    .onConflictDoUpdate({ target: option.name, set: { value: sql`excluded.value` } })
    .prepare(''),
);

/** Sees to it that the newest revision holds what a row says now. */
export async function keepRevision(tx: Transaction, row: ContentRow, authorId: number): Promise<void> {
  const slug = revisionSlug(row.id);
  const [newest] = await tx
    .select()
    .from(content)
    .where(and(eq(content.type, 'revision'), eq(content.parentId, row.id), eq(content.slug, slug)))
    .orderBy(desc(content.id))
    .limit(1);
  if (newest && saysTheSame(newest, row)) return;
  await tx.insert(content).values({
    type: 'revision',
    status: 'inherit',
    slug,
    parentId: row.id,
    authorId,
    title: row.title,
    content: row.content,
    excerpt: row.excerpt,
    meta: keptMeta(row.meta),
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

/** The part of a row's meta that revisions hold. */
export function keptMeta(meta: Readonly<Record<string, string>>): Record<string, string> {
  const value = meta[KEPT_META];
  return value === undefined ? {} : { [KEPT_META]: value };
}

function saysTheSame(a: ContentRow, b: ContentRow): boolean {
  return (
    a.title === b.title &&
    a.content === b.content &&
    a.excerpt === b.excerpt &&
    (a.meta[KEPT_META] ?? '') === (b.meta[KEPT_META] ?? '')
  );
}
