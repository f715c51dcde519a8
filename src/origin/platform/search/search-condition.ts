import { and, eq, like, not, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { foldColumn, foldText } from './fold-text.ts';
import type { SearchTerms } from './parse-search.ts';

/** Rows that hold every wanted term in one of the columns, and no unwanted one in any. */
export function searchCondition(
  { wanted, unwanted }: SearchTerms,
  columns: readonly SQLWrapper[],
  isExact: boolean,
): SQL | undefined {
  const found = (term: string) => or(...columns.map((column) => matches(column, term, isExact))) ?? sql`false`;
  return and(...wanted.map(found), ...unwanted.map((term) => not(found(term))));
}

/** Whether a column holds a term, or is the term; case and accents do not count, wildcards stand for themselves. */
export function matches(column: SQLWrapper, term: string, isExact = false): SQL {
  const folded = foldColumn(column);
  return isExact ? eq(folded, foldText(term)) : like(folded, `%${escapeLike(foldText(term))}%`);
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}
