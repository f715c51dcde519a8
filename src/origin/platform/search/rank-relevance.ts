import { and, or, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import type { SearchTerms } from './parse-search.ts';
import { matches } from './search-condition.ts';

/**
 * How well a row answers a search, the best first: one term in the title before elsewhere; of several terms the
 * phrase in the title, all of them in the title, one of them, the phrase in the excerpt, in the content, the rest.
 */
export function rankRelevance(
  { wanted, phrase }: SearchTerms,
  columns: { title: SQLWrapper; excerpt: SQLWrapper; content: SQLWrapper },
): SQL<number> {
  const inTitle = wanted.map((term) => matches(columns.title, term));
  const classes =
    wanted.length < 2
      ? inTitle
      : [
          matches(columns.title, phrase),
          and(...inTitle),
          or(...inTitle),
          matches(columns.excerpt, phrase),
          matches(columns.content, phrase),
        ];
  const cases = classes.map((condition, rank) => sql`when ${condition} then ${sql.raw(String(rank))}`);
  if (cases.length === 0) return sql<number>`0`;
  return sql<number>`case ${sql.join(cases, sql` `)} else ${sql.raw(String(cases.length))} end`;
}
