import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import { category, tag } from '#contracts/core/term.ts';
import type { ImportOutcome, ImportRecord } from '#contracts/import.ts';
import { findFreeTermSlug } from '#origin/namespaces/core/terms/find-terms.ts';
import { filterTermDescription } from '#origin/namespaces/core/terms/write-terms.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { announce } from '#origin/platform/events/announce.ts';
import { CATEGORY, TAG } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { SITE_OPTION } from '#origin/platform/site/load-site.ts';
import type { Transaction } from '#origin/platform/store/query-errors.ts';
import { term, imported, option } from '#origin/platform/store/schema.ts';
import { type ImportJob, preserveId } from './import-job.ts';
import {
  digestValue,
  hasLocalContent,
  findImported,
  findLocalId,
  saveImportedRows,
  categoryFormsCycle,
  parseWire,
} from './imported-rows.ts';

const siteWithDefault = z.looseObject({ default_category: z.int() });

type TermRow = typeof term.$inferSelect;

/**
 * Writes a category or a tag. Reuses a local term with the same slug, but overwrites its texts only while the site has
 * no other content.
 */
export function createTermWriter(kind: 'category' | 'tag') {
  const { taxonomy, slugBase } = kind === 'category' ? CATEGORY : TAG;
  return ({ context, source }: ImportJob, { id, digest, wire }: ImportRecord): Promise<Omit<ImportOutcome, 'id'>> => {
    const remote = kind === 'category' ? parseWire(category, wire) : { ...parseWire(tag, wire), parent: 0 };
    return writeContent(context.store.db, async (tx) => {
      const [known] = await findImported(tx, source.site, kind, [id]);
      if (known?.digest === digest) return { outcome: 'unchanged' };
      const parent = remote.parent ?? 0;
      const parentId = parent === 0 ? 0 : await findLocalId(tx, source.site, ['category'], parent);
      const waiting: Record<string, number> = parentId === undefined ? { parent } : {};
      const base = { source: source.site, kind, sourceId: id, digest, waiting };
      const values = {
        taxonomy,
        name: plainText(remote.name) || remote.slug,
        description: await filterTermDescription(remote.description ?? ''),
        parentId: parentId ?? 0,
      };
      const [existing] = known
        ? await tx.select().from(term).where(eq(term.id, known.ownId))
        : await tx
            .select()
            .from(term)
            .where(and(eq(term.taxonomy, taxonomy), eq(term.slug, remote.slug)));
      if (known && !existing) return { outcome: 'kept', note: 'was deleted here' };
      if (existing) {
        const isOverwritable = known ? known.ownDigest !== '' : !(await hasLocalContent(tx, source.site));
        if (!isOverwritable) {
          await saveImportedRows(tx, [{ ...base, ownId: existing.id, waiting: {} }]);
          return known ? { outcome: 'unchanged' } : { outcome: 'met', note: 'already existed here with the same slug' };
        }
        if (known && digestTerm(existing) !== known.ownDigest) return { outcome: 'kept', note: 'was changed here' };
        const isCycle = await categoryFormsCycle(tx, existing.id, values.parentId);
        const slug = await findFreeTermSlug(tx, remote.slug, { id: existing.id, taxonomy }, []);
        const after = { ...existing, ...values, ...(isCycle && { parentId: existing.parentId }), slug };
        await tx.update(term).set(after).where(eq(term.id, existing.id));
        await saveImportedRows(tx, [{ ...base, ownId: existing.id, ownDigest: digestTerm(after) }]);
        await announce(tx, { what: slugBase, id: String(existing.id), action: 'updated' });
        return { outcome: known ? 'updated' : 'added' };
      }
      await freeDefaultCategoryId(tx, id, source.site);
      const slug = await findFreeTermSlug(tx, remote.slug, { taxonomy }, []);
      const [added] = await tx
        .insert(term)
        .values({ ...(await preserveId(tx, term, id)), ...values, slug })
        .returning();
      if (!added) throw new Error('The store did not return the term it added.');
      await saveImportedRows(tx, [{ ...base, ownId: added.id, ownDigest: digestTerm(added) }]);
      await announce(tx, { what: slugBase, id: String(added.id), action: 'created' });
      return { outcome: 'added' };
    });
  };
}

export function digestTerm({ name, slug, description, parentId }: TermRow): string {
  return digestValue({ name, slug, description, parentId });
}

/**
 * Moves the default category of a new origin to another ID if an imported term needs its ID. Safe, because no content
 * uses it yet.
 */
async function freeDefaultCategoryId(tx: Transaction, id: number, source: string): Promise<void> {
  const [stored] = await tx.select().from(option).where(eq(option.name, SITE_OPTION));
  const site = siteWithDefault.safeParse(stored?.value);
  if (!site.success || site.data.default_category !== id || (await hasLocalContent(tx, source))) return;
  const isCategory = and(eq(imported.kind, 'category'), eq(imported.ownId, id));
  const importedCategories = await tx.select({ id: imported.ownId }).from(imported).where(isCategory).limit(1);
  const [defaultCategory] = await tx.select().from(term).where(eq(term.id, id));
  if (importedCategories.length > 0 || !defaultCategory) return;
  const { id: _, ...same } = defaultCategory;
  await tx.delete(term).where(eq(term.id, id));
  const [moved] = await tx.insert(term).values(same).returning({ id: term.id });
  if (!moved) throw new Error('The store did not return the category it moved.');
  const value = { ...site.data, default_category: moved.id };
  await tx.update(option).set({ value }).where(eq(option.name, SITE_OPTION));
}
