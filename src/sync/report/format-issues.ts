import type { IssueGroup } from './sync-report.ts';

/** Grouped issues, one line each: `24 × product: gtin is not a GTIN-13 …; first 9524010000016 de-de, "4012"`. */
export function formatIssues(groups: readonly IssueGroup[]): string {
  return groups.map(formatGroup).join('\n');
}

function formatGroup({ kind, field, problem, count, sample }: IssueGroup): string {
  const what = field ? `${field} ${problem}` : problem;
  const where = [sample.id, sample.language].filter(Boolean).join(' ');
  const wire = sample.wire === undefined ? '' : `, ${sample.wire}`;
  return count === 1 ? `  ${kind} ${where}: ${what}${wire}` : `  ${count} × ${kind}: ${what}; first ${where}${wire}`;
}
