import { and, eq } from 'drizzle-orm';
import { announce } from '#origin/platform/events/index.ts';
import type { createCategory } from '#contracts/core/index.ts';
import { created, type AnswerOf, type AnyCall } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { term } from '#origin/platform/store/schema.ts';
import { normaliseSlug } from '#origin/platform/content/normalise-slug.ts';
import { foldColumn, foldText } from '#origin/platform/search/index.ts';
import type { TermRow } from '#origin/platform/content/load-terms.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { forgetTerm, showTerm } from './answer-terms.ts';
import { findFreeTermSlug } from './find-free-term-slug.ts';
import type { TermKind } from '#origin/platform/registry/term-kind.ts';
import { loadTermsAbove, readTermDescription, readTermName, type TermWritingCall } from './written-term.ts';

/** Adds a term. Names are unique among siblings, unless a slug of its own tells a second one apart. */
export async function createTerm(call: TermCreationCall, kind: TermKind): Promise<AnswerOf<typeof createCategory>> {
  const { body, context, addresses } = call;
  const name = readTermName(body.name ?? '', call);
  const sentSlug = normaliseSlug(body.slug ?? '');
  const slug = sentSlug === '' ? normaliseSlug(name) : sentSlug;
  const id = await writeContent(context.store.db, async (tx) => {
    const above = await loadTermsAbove(tx, call, kind, body.parent ?? 0);
    const parentId = body.parent ?? 0;
    await refuseDuplicate(tx, call, kind, { name, slug, parentId, isSlugSent: sentSlug !== '' });
    const owner = { taxonomy: kind.taxonomy };
    const [added] = await tx
      .insert(term)
      .values({
        taxonomy: kind.taxonomy,
        name,
        slug: slug === '' ? '' : await findFreeTermSlug(tx, slug, owner, above),
        description: await readTermDescription(body.description ?? ''),
        parentId,
      })
      .returning({ id: term.id });
    if (!added) throw new Error('The store did not return the term it added.');
    if (slug === '') {
      const numbered = await findFreeTermSlug(tx, String(added.id), owner, []);
      await tx.update(term).set({ slug: numbered }).where(eq(term.id, added.id));
    }
    await announce(tx, { what: kind.slugBase, id: String(added.id), action: 'created' });
    return added.id;
  });
  forgetTerm(call, id);
  return created(await showTerm(call, kind, id, 'edit'), addresses.rest(`${kind.base}/${id}`));
}

type TermCreationCall = TermWritingCall & AnyCall<'term_exists'>;

interface Newcomer {
  name: string;
  slug: string;
  parentId: number;
  isSlugSent: boolean;
}

/** A sibling of the same name is the same term, unless the newcomer has a slug that is still free. */
async function refuseDuplicate(
  tx: Transaction,
  { refuse }: TermCreationCall,
  { taxonomy }: TermKind,
  { name, slug, parentId, isSlugSent }: Newcomer,
): Promise<void> {
  const siblings: TermRow[] = await tx
    .select()
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), eq(term.parentId, parentId), eq(foldColumn(term.name), foldText(name))));
  const [twin] = siblings;
  const isTaken = siblings.some((row) => row.slug === slug) || (twin && (await isSlugTaken(tx, taxonomy, slug)));
  if (!twin || (isSlugSent && !isTaken)) return;
  throw refuse('term_exists', 'A term of this name exists already.', {
    details: { term_id: twin.id },
    additionalData: [twin.id],
  });
}

async function isSlugTaken(tx: Transaction, taxonomy: TermRow['taxonomy'], slug: string): Promise<boolean> {
  const [found] = await tx
    .select({ id: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), eq(term.slug, slug)))
    .limit(1);
  return found !== undefined;
}
