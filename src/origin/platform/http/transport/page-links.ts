import type { SentParameters } from './parse-query.ts';
import { writeQuery } from './write-query.ts';

/**
 * The `Link` header of a list: the pages before and after this one, with the request's own parameters as they
 * were understood.
 */
export function pageLinks(
  address: string,
  sent: SentParameters,
  understood: Readonly<Record<string, unknown>>,
  page: number,
  totalPages: number,
): string | undefined {
  const parameters = new Map(
    Object.entries(sent).map(([name, value]) => [name, name in understood ? understood[name] : value]),
  );
  const linkTo = (target: number, relation: string) =>
    `<${address}?${writeQuery(new Map(parameters).set('page', target))}>; rel="${relation}"`;
  const links = [
    ...(page > 1 ? [linkTo(Math.min(page - 1, totalPages), 'prev')] : []),
    ...(page < totalPages ? [linkTo(page + 1, 'next')] : []),
  ];
  return links.length > 0 ? links.join(', ') : undefined;
}
