import { inArray } from 'drizzle-orm';
import type { TermRow } from '#origin/platform/content/load-ancestors.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { TermKind } from '#origin/platform/registry/term-kind.ts';
import type { Database } from '#origin/platform/store/index.ts';
import { term } from '#origin/platform/store/schema.ts';

/** Where terms are in their hierarchy, and with it on the site. */
export interface TermTree {
  /** The terms above one, from the top. */
  above(row: TermRow): TermRow[];
  /** Address of the page of a term. */
  urlOf(row: TermRow): string;
}

/** The kinds of terms that the kinds of content of a site have. */
export function termKindsOf({ kinds }: Pick<OriginContext, 'kinds'>): TermKind[] {
  const all = [...kinds.values()].flatMap(({ terms }) => terms);
  return [...new Map(all.map((kind) => [kind.taxonomy, kind])).values()];
}

/** Reads all terms above some: one statement for each level. */
export async function loadTermTree(
  { store, kinds }: { store: { db: Pick<Database, 'select'> } } & Pick<OriginContext, 'kinds'>,
  site: string,
  rows: readonly TermRow[],
): Promise<TermTree> {
  const known = new Map(rows.map((row) => [row.id, row]));
  const parentsOf = (terms: readonly TermRow[]) => [
    ...new Set(terms.map(({ parentId }) => parentId).filter((id) => id !== 0 && !known.has(id))),
  ];
  for (let wanted = parentsOf(rows); wanted.length > 0;) {
    const level = await store.db.select().from(term).where(inArray(term.id, wanted));
    for (const row of level) known.set(row.id, row);
    wanted = parentsOf(level);
  }
  const bases = new Map(termKindsOf({ kinds }).map(({ taxonomy, slugBase }) => [taxonomy, slugBase]));
  const above = ({ id, parentId }: TermRow) => {
    const chain: TermRow[] = [];
    const seen = new Set([id]);
    for (let row = known.get(parentId); row && !seen.has(row.id); row = known.get(row.parentId)) {
      seen.add(row.id);
      chain.unshift(row);
    }
    return chain;
  };
  const urlOf = (row: TermRow) =>
    `${[site, bases.get(row.taxonomy) ?? row.taxonomy, ...above(row).map(({ slug }) => slug), row.slug].join('/')}/`;
  return { above, urlOf };
}
