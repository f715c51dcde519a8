import type { Database } from '#origin/platform/store/store.ts';
import type { TermClause } from './content-filter.ts';
import { findDescendants } from './find-descendants.ts';

/** How a query names terms: ids, or ids with how to take them. */
export type TermQuery =
  readonly number[] | { terms: readonly number[]; operator?: 'AND' | 'OR'; include_children?: boolean };

/** What a query says about terms, as clauses of a filter. Naming no term says nothing. */
export async function termClauses(
  db: Database,
  wanted: readonly (TermQuery | undefined)[],
  unwanted: readonly (TermQuery | undefined)[],
): Promise<TermClause[]> {
  const clauses = [
    ...wanted.map((query) => toClause(db, query, 'any')),
    ...unwanted.map((query) => toClause(db, query, 'none')),
  ];
  return (await Promise.all(clauses)).flatMap((clause) => clause ?? []);
}

async function toClause(
  db: Database,
  query: TermQuery | undefined,
  usual: 'any' | 'none',
): Promise<TermClause | undefined> {
  if (query === undefined) return undefined;
  const said = 'terms' in query ? query : { terms: query };
  if (said.terms.length === 0) return undefined;
  const operator = 'operator' in said && said.operator === 'AND' ? 'all' : usual;
  const withChildren = 'include_children' in said && said.include_children === true;
  const groups = withChildren ? await findDescendants(db, said.terms) : said.terms.map((id) => [id]);
  return { groups, operator };
}
