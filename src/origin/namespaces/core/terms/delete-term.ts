import { and, eq, ne, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { announce } from '#origin/platform/events/index.ts';
import { item, RestError, type Answer, type Call } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import type { TermRow } from '#origin/platform/content/load-terms.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { withoutLinks } from '#origin/platform/content/writing/without-links.ts';
import { forgetTerm, showTerm } from './answer-terms.ts';
import type { TermKind } from '#origin/platform/registry/term-kind.ts';
import { loadForWriting } from './update-term.ts';

type DeletionCall = Call & { params: { id: number }; query: { force: boolean } };

/** Deletes a term and answers how it was. Terms know no trash, so it has to be forced. */
export async function deleteTerm(call: DeletionCall, kind: TermKind): Promise<Answer> {
  const { context, params, query } = call;
  if (!query.force)
    throw new RestError('rest_trash_not_supported', 501, 'Terms have no trash. Send force=true to delete for good.');
  const { default_category: usual } = await loadSite(call);
  const previous = withoutLinks(await showTerm(call, kind, params.id, 'view'), params.id, call);
  await writeContent(context.store.db, async (tx) => {
    const row = await loadForWriting(tx, kind, params.id);
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
