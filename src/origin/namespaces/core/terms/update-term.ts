import { and, eq, ne } from 'drizzle-orm';
import { announce } from '#origin/platform/events/index.ts';
import type { updateCategory } from '#contracts/core/index.ts';
import { item, type AnswerOf, type AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { term } from '#origin/platform/store/schema.ts';
import { normaliseSlug } from '#origin/platform/content/normalise-slug.ts';
import type { TermRow } from '#origin/platform/content/load-terms.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { forgetTerm, showTerm } from './answer-terms.ts';
import { findFreeTermSlug } from './find-free-term-slug.ts';
import type { TermKind } from '#origin/platform/registry/term-kind.ts';
import { loadTermsAbove, readTermDescription, readTermName, type TermWritingCall } from './written-term.ts';

/** Changes what was sent of a term. */
export async function updateTerm(
  call: TermWritingCall & AnyCall<'duplicate_term_slug'> & { params: { id: number } },
  kind: TermKind,
): Promise<AnswerOf<typeof updateCategory>> {
  const { body, context, params } = call;
  await writeContent(context.store.db, async (tx) => {
    const before = await loadForWriting(tx, call, kind, params.id);
    const name = body.name === undefined ? before.name : readTermName(body.name, call);
    const above = body.parent === undefined ? [] : await loadTermsAbove(tx, call, kind, body.parent);
    // A category can not lie below itself.
    const parentId = above.some(({ id }) => id === before.id) ? 0 : (body.parent ?? before.parentId);
    const values = {
      name,
      parentId,
      slug: await chooseSlug(tx, call, body.slug, name, before),
      description: body.description === undefined ? before.description : await readTermDescription(body.description),
    };
    await tx.update(term).set(values).where(eq(term.id, before.id));
    await announce(tx, { what: kind.slugBase, id: String(before.id), action: 'updated' });
  });
  forgetTerm(call, params.id);
  return item(await showTerm(call, kind, params.id, 'edit'));
}

/** A term, held until the transaction ends. @throws when there is none */
export async function loadForWriting(
  tx: Transaction,
  { refuse }: AnyCall<'rest_term_invalid'>,
  { taxonomy }: TermKind,
  id: number,
): Promise<TermRow> {
  const [row] = await tx
    .select()
    .from(term)
    .where(and(eq(term.id, id), eq(term.taxonomy, taxonomy)))
    .for('update');
  if (!row) throw refuse('rest_term_invalid', 'There is no term under this id.');
  return row;
}

/** An empty slug is made from the name anew; one that was chosen must be free. */
async function chooseSlug(
  tx: Transaction,
  { refuse }: AnyCall<'duplicate_term_slug'>,
  sent: string | undefined,
  name: string,
  before: TermRow,
): Promise<string> {
  if (sent === undefined) return before.slug;
  const slug = normaliseSlug(sent);
  if (slug === '') return findFreeTermSlug(tx, normaliseSlug(name) || String(before.id), before, []);
  const [other] = await tx
    .select({ id: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, before.taxonomy), eq(term.slug, slug), ne(term.id, before.id)))
    .limit(1);
  if (other) throw refuse('duplicate_term_slug', `Another term has the slug "${slug}".`);
  return slug;
}
