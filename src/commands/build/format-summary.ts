import path from 'node:path';
import { countNoun } from '#contracts/index.ts';
import type { SyncReport } from '#sync/report/sync-report.ts';
import type { BuiltSite } from './build-site.ts';

/** `Built 126 pages in 8.3 s: dist/` */
export function formatBuildSummary({ pages, durationMs, distFolder }: BuiltSite): string {
  return `Built ${pages} pages in ${seconds(durationMs)}: ${path.relative(process.cwd(), distFolder) || '.'}/`;
}

/** `Synced in 3.1 s: 213 added, 2 changed; 1 warning.` */
export function formatSyncSummary({
  changed,
  counts,
  durationMs,
  problems,
  warnings,
}: Pick<SyncReport, 'changed' | 'counts' | 'durationMs' | 'problems' | 'warnings'>): string {
  const all = Object.values(counts).flatMap((languages) => Object.values(languages));
  const parts = (['added', 'changed', 'removed'] as const).flatMap((kind) => {
    const sum = all.reduce((total, count) => total + count[kind], 0);
    return sum > 0 ? `${sum} ${kind}` : [];
  });
  const issues = [
    problems.length > 0 && countNoun(countAll(problems), 'problem'),
    warnings.length > 0 && countNoun(countAll(warnings), 'warning'),
  ];
  const rest = issues.filter(Boolean).join(' and ');
  const what = changed ? parts.join(', ') || 'changed' : 'nothing changed';
  return `Synced in ${seconds(durationMs)}: ${what}${rest && `; ${rest}, which \`npm run sync\` shows`}.`;
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

function countAll(groups: readonly { count: number }[]): number {
  return groups.reduce((total, { count }) => total + count, 0);
}
