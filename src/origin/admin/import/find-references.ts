import { asc, eq } from 'drizzle-orm';
import type { ImportKind } from '#contracts/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { user } from '#origin/platform/store/schema.ts';
import type { ImportScope } from './import-scope.ts';
import { contentLeadsBack } from './leads-back.ts';
import { findOwnId } from './imported-rows.ts';

/** Columns of content that point to other rows, and what those may be. */
export const REFERENCES = {
  authorId: ['user'],
  featuredMedia: ['media'],
  parentId: ['page', 'post', 'media'],
} as const satisfies Record<string, readonly ImportKind[]>;

export type ReferenceColumn = keyof typeof REFERENCES;

/**
 * The rows here that a record's references lead to. Those that have not come are nothing for now, and are returned to
 * wait; what has no author until then has the first administrator.
 *
 * @param told ids at the source, 0 for nothing
 * @param ownId of the row here, which must not come to hang on itself
 */
export async function findReferences(
  tx: Transaction,
  { source }: ImportScope,
  told: Readonly<Record<ReferenceColumn, number>>,
  ownId?: number,
): Promise<{ columns: Record<ReferenceColumn, number>; waiting: Record<string, number> }> {
  const columns = { authorId: 0, featuredMedia: 0, parentId: 0 };
  const waiting: Record<string, number> = {};
  for (const column of Object.keys(REFERENCES) as ReferenceColumn[]) {
    const id = told[column];
    const found = id > 0 ? await findOwnId(tx, source.site, REFERENCES[column], id) : 0;
    const isCircle =
      found !== undefined && ownId !== undefined && column === 'parentId' && (await contentLeadsBack(tx, ownId, found));
    if (found === undefined || isCircle) waiting[column] = id;
    columns[column] = isCircle ? 0 : (found ?? 0);
  }
  if (waiting['authorId'] !== undefined) columns.authorId = await findFirstAdministrator(tx);
  return { columns, waiting };
}

async function findFirstAdministrator(tx: Transaction): Promise<number> {
  const isOne = eq(user.role, 'administrator');
  const [first] = await tx.select({ id: user.id }).from(user).where(isOne).orderBy(asc(user.id)).limit(1);
  return first?.id ?? 0;
}
