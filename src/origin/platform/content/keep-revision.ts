import { and, desc, eq } from 'drizzle-orm';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content } from '#origin/platform/store/schema.ts';
import type { ContentRow } from '#origin/platform/registry/content-kind.ts';

/** The meta value that is part of what was written. */
const KEPT_META = 'footnotes';

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
