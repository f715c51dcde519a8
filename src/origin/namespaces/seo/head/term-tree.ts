import { inArray } from 'drizzle-orm';
import type { TermRow } from '#origin/platform/content/load-ancestors.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { TermKind } from '#origin/platform/registry/content-kind.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { term } from '#origin/platform/store/schema.ts';

/** Hierarchy of terms, which also determines their addresses. */
export interface TermTree {
  /** Returns the ancestors of a term, from the top. */
  above(row: TermRow): TermRow[];
  /** Returns the address of a term's page. */
  urlOf(row: TermRow): string;
}

/** Returns the kinds of terms used by the site's kinds of content. */
export function listTermKinds({ kinds }: Pick<OriginContext, 'kinds'>): TermKind[] {
  const all = [...kinds.values()].flatMap(({ terms }) => terms);
  return [...new Map(all.map((kind) => [kind.taxonomy, kind])).values()];
}

/** Loads all ancestors of terms, with one statement per level. */
export async function loadTermTree(
  { store, kinds }: { store: { db: Pick<Database, 'select'> } } & Pick<OriginContext, 'kinds'>,
  site: string,
  rows: readonly TermRow[],
): Promise<TermTree> {
  const termsById = new Map(rows.map((row) => [row.id, row]));
  const parentsOf = (terms: readonly TermRow[]) => [
    ...new Set(terms.map(({ parentId }) => parentId).filter((id) => id !== 0 && !termsById.has(id))),
  ];
  for (let missingIds = parentsOf(rows); missingIds.length > 0;) {
    const level = await store.db.select().from(term).where(inArray(term.id, missingIds));
    for (const row of level) termsById.set(row.id, row);
    missingIds = parentsOf(level);
  }
  const bases = new Map(listTermKinds({ kinds }).map(({ taxonomy, slugBase }) => [taxonomy, slugBase]));
  const above = ({ id, parentId }: TermRow) => {
    const chain: TermRow[] = [];
    const seen = new Set([id]);
    for (let row = termsById.get(parentId); row && !seen.has(row.id); row = termsById.get(row.parentId)) {
      seen.add(row.id);
      chain.unshift(row);
    }
    return chain;
  };
  const urlOf = (row: TermRow) =>
    `${[site, bases.get(row.taxonomy) ?? row.taxonomy, ...above(row).map(({ slug }) => slug), row.slug].join('/')}/`;
  return { above, urlOf };
}
