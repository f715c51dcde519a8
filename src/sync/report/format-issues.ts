import { countNoun, formatIssueLines } from '#contracts/index.ts';
import { SYNCED_KINDS } from '#contracts/synced/index.ts';
import type { AffectedRecords, IssueGroup } from './sync-report.ts';

const NOUNS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SYNCED_KINDS.map(({ kind, noun }) => [kind, noun])),
  product: 'product record',
  language: 'language',
  family: 'family',
  assortment: 'list of products',
  site: 'name of the site',
  asset: 'file',
  hook: 'hook',
  source: 'source',
  local: 'link',
};

/** What records of a kind are called, with their number: `1 post`, `24 product records`. */
export function countRecords(count: number, kind: string): string {
  return countNoun(count, NOUNS[kind] ?? `${kind} record`);
}

/** Grouped issues: what is wrong with how many records, the first of them with their values, and what to do. */
export function formatIssues(groups: readonly IssueGroup[]): string {
  return formatIssueLines(
    groups
      .toSorted((a, b) => b.count - a.count)
      .map(({ kind, field, problem, advice, count, examples }) => ({
        who: countRecords(count, kind),
        what: [field, problem].filter(Boolean).join(' '),
        examples,
        more: count - examples.length,
        advice,
      })),
  );
}

/** `6 records, 4 of which keep their last good version; 2 are not on the site`. */
export function countAffected({ count, withLastGood }: AffectedRecords): string {
  const all = countNoun(count, 'record');
  const lost = count - withLastGood;
  if (lost === 0) return `${all}; ${count === 1 ? 'its last good version stays' : 'their last good versions stay'}`;
  if (withLastGood === 0) return `${all}, not on the site`;
  return `${all}; ${withLastGood} keep${withLastGood === 1 ? 's its' : ' their'} last good version, ${lost} ${lost === 1 ? 'is' : 'are'} not on the site`;
}
