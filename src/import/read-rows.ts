import type { ImportKind } from '#contracts/import.ts';
import { isSortimentError, type RouteDeclaration, type RouteQueryInput } from '#contracts/index.ts';
import type { RouteRow } from '#client/publishing-client.ts';
import type { ImportReport } from './import-report.ts';
import type { SiteConnection } from './connect-site.ts';

/** Error codes that mean "not permitted" or "not available". Other errors abort the import. */
const REFUSALS = new Set(['UPSTREAM_UNAUTHORISED', 'UPSTREAM_REFUSED', 'UPSTREAM_WRONG_ADDRESS']);

export function isAccessError(error: unknown): boolean {
  return isSortimentError(error) && REFUSALS.has(error.code);
}

/**
 * Reads the rows of a list page by page. Hidden rows and rows that don't match the contract are reported as left out.
 *
 * @param options.publicCount Number of publicly visible rows, for lists that count only what the account sees.
 * @throws SortimentError UPSTREAM_… if a page can't be read
 */
export async function* readRows<R extends RouteDeclaration>(
  { client }: Pick<SiteConnection, 'client'>,
  route: R,
  query: RouteQueryInput<R>,
  { kind, report, publicCount = 0 }: { kind: ImportKind; report: ImportReport; publicCount?: number },
): AsyncGenerator<{ rows: RouteRow<R>[]; total: number | undefined }> {
  let seen = 0;
  let total: number | undefined;
  for await (const page of client.listAll(route, query)) {
    seen += page.rows.length + page.problems.length;
    total = page.total ?? total;
    report.found(kind, page.rows.length + page.problems.length);
    const rows = page.rows.filter((row) => idOf(row) > 0);
    const unnumbered = page.rows.length - rows.length;
    if (unnumbered > 0) report.leave(kind, 'have no positive ID', [], unnumbered);
    for (const { id, problems } of page.problems) {
      const words = problems.map(({ field, problem }) => `${field} ${problem}`.trim()).join(', ');
      report.leave(kind, `does not match the interface: ${words}`, [id]);
    }
    for (const { id, warnings } of page.warnings)
      for (const { field, problem } of warnings) report.note(kind, `has a repaired date: ${field} ${problem}`, [id]);
    yield { rows, total };
  }
  const hidden = Math.max(total ?? seen, publicCount) - seen;
  if (hidden <= 0) return;
  report.found(kind, hidden);
  report.leave(kind, 'are not shown to this account', [], hidden);
}

function idOf(row: unknown): number {
  return (row as { id: number }).id;
}
