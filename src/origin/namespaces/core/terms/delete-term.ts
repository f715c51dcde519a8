import { and, eq, ne, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { announce } from '#origin/platform/events/index.ts';
import type { deleteCategory } from '#contracts/core/index.ts';
import { item, type AnswerOf, type AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import type { TermRow } from '#origin/platform/content/load-terms.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { previousOf } from '#origin/platform/http/present-fields.ts';
import { forgetTerm, showTerm } from './answer-terms.ts';
import type { TermKind } from '#origin/platform/registry/term-kind.ts';
import { loadForWriting } from './update-term.ts';

type DeletionCall = AnyCall<'rest_term_invalid' | 'rest_trash_not_supported'> & {
  params: { id: number };
  query: { force: boolean };
};

/** Deletes a term and answers how it was. Terms know no trash, so it has to be forced. */
export async function deleteTerm(call: DeletionCall, kind: TermKind): Promise<AnswerOf<typeof deleteCategory>> {
  const { context, params, query } = call;
  if (!query.force)
    throw call.refuse('rest_trash_not_supported', 'Terms have no trash. Send force=true to delete for good.');
  const { default_category: usual } = await loadSite(call);
  const previous = previousOf(await showTerm(call, kind, params.id, 'view'), params.id, call);
  await writeContent(context.store.db, async (tx) => {
    const row = await loadForWriting(tx, call, kind, params.id);
    await removeTerm(tx, row, usual);
    await announce(tx, { what: kind.slugBase, id: String(row.id), action: 'deleted' });
  });
  forgetTerm(call, params.id);
  return item({ deleted: true, previous });
}

/** Categories below it move up; posts that have no other category get the default one. */
async function removeTerm(tx: Transaction, { id, taxonomy, parentId }: TermRow, usual: number): Promise<void> {
  if (taxonomy === 'category') {
    await tx
      .update(term)
      .set({ parentId })
      .where(and(eq(term.taxonomy, taxonomy), eq(term.parentId, id)));
    if (usual !== 0) await giveDefault(tx, id, usual);
  }
  await tx.delete(contentTerm).where(eq(contentTerm.termId, id));
  await tx.delete(term).where(eq(term.id, id));
}

async function giveDefault(tx: Transaction, goingId: number, usual: number): Promise<void> {
  const others = alias(contentTerm, 'others');
  const otherCategories = tx
    .select({ id: others.termId })
    .from(others)
    .innerJoin(term, eq(term.id, others.termId))
    .where(and(eq(others.contentId, contentTerm.contentId), eq(term.taxonomy, 'category'), ne(term.id, goingId)));
  const posts = tx
    .select({ contentId: contentTerm.contentId, termId: sql<number>`${usual}::bigint`.as('term_id') })
    .from(contentTerm)
    .innerJoin(content, and(eq(content.id, contentTerm.contentId), eq(content.type, 'post')))
    .where(and(eq(contentTerm.termId, goingId), notExists(otherCategories)));
  await tx.insert(contentTerm).select(posts);
}
