import { and, eq } from 'drizzle-orm';
import type { ImportOutcome, ImportRecord } from '#contracts/index.ts';
import { category, tag } from '#contracts/core/index.ts';
import { findFreeTermSlug } from '#origin/namespaces/core/terms/find-free-term-slug.ts';
import { readTermDescription } from '#origin/namespaces/core/terms/written-term.ts';
import { CATEGORY, TAG } from '#origin/platform/registry/term-kind.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { announce } from '#origin/platform/events/index.ts';
import { term } from '#origin/platform/store/schema.ts';
import { digestOf } from './digest-row.ts';
import { hasOwnContent } from './has-own-content.ts';
import type { ImportScope } from './import-scope.ts';
import { findImported, findOwnId, rememberImported } from './imported-rows.ts';
import { keepId } from './keep-id.ts';
import { categoryLeadsBack } from './leads-back.ts';
import { makeRoom } from './make-room.ts';
import { readWire } from './read-wire.ts';

type TermRow = typeof term.$inferSelect;

/**
 * Writes a category or a tag. One that is here already under the same slug stands for it; it says what the source
 * says only where nothing was written here yet.
 */
export function putTerm(kind: 'category' | 'tag') {
  const { taxonomy, slugBase } = kind === 'category' ? CATEGORY : TAG;
  return ({ context, source }: ImportScope, { id, digest, wire }: ImportRecord): Promise<Omit<ImportOutcome, 'id'>> => {
    const told = kind === 'category' ? readWire(category, wire) : { ...readWire(tag, wire), parent: 0 };
    return writeContent(context.store.db, async (tx) => {
      const [known] = await findImported(tx, source.site, kind, [id]);
      if (known?.digest === digest) return { outcome: 'unchanged' };
      const parent = told.parent ?? 0;
      const parentId = parent === 0 ? 0 : await findOwnId(tx, source.site, ['category'], parent);
      const waiting: Record<string, number> = parentId === undefined ? { parent } : {};
      const base = { source: source.site, kind, sourceId: id, digest, waiting };
      const values = {
        taxonomy,
        name: plainText(told.name) || told.slug,
        description: await readTermDescription(told.description ?? ''),
        parentId: parentId ?? 0,
      };
      const [own] = known
        ? await tx.select().from(term).where(eq(term.id, known.ownId))
        : await tx
            .select()
            .from(term)
            .where(and(eq(term.taxonomy, taxonomy), eq(term.slug, told.slug)));
      if (known && !own) return { outcome: 'kept', note: 'was deleted here' };
      if (own) {
        const isOurs = known ? known.ownDigest !== '' : !(await hasOwnContent(tx, source.site));
        if (!isOurs) {
          await rememberImported(tx, [{ ...base, ownId: own.id, waiting: {} }]);
          return known ? { outcome: 'unchanged' } : { outcome: 'met', note: 'was here already under the same slug' };
        }
        if (known && digestTerm(own) !== known.ownDigest) return { outcome: 'kept', note: 'was changed here' };
        const isCircle = await categoryLeadsBack(tx, own.id, values.parentId);
        const slug = await findFreeTermSlug(tx, told.slug, { id: own.id, taxonomy }, []);
        const after = { ...own, ...values, ...(isCircle && { parentId: own.parentId }), slug };
        await tx.update(term).set(after).where(eq(term.id, own.id));
        await rememberImported(tx, [{ ...base, ownId: own.id, ownDigest: digestTerm(after) }]);
        await announce(tx, { what: slugBase, id: String(own.id), action: 'updated' });
        return { outcome: known ? 'updated' : 'added' };
      }
      await makeRoom(tx, id, source.site);
      const slug = await findFreeTermSlug(tx, told.slug, { taxonomy }, []);
      const [added] = await tx
        .insert(term)
        .values({ ...(await keepId(tx, term, id)), ...values, slug })
        .returning();
      if (!added) throw new Error('The store did not return the term it added.');
      await rememberImported(tx, [{ ...base, ownId: added.id, ownDigest: digestTerm(added) }]);
      await announce(tx, { what: slugBase, id: String(added.id), action: 'created' });
      return { outcome: 'added' };
    });
  };
}

export function digestTerm({ name, slug, description, parentId }: TermRow): string {
  return digestOf({ name, slug, description, parentId });
}
