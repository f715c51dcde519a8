import type { IssueGroup } from './sync-report.ts';

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 300;

/**
 * Merges groups that are about the same records, so that a record with eight invalid fields is one entry in a report
 * and not eight.
 */
export function mergeGroups(groups: readonly IssueGroup[]): IssueGroup[] {
  return [...Map.groupBy(groups, keyOf).values()].flatMap((same) => {
    const [first, second] = same;
    return first && second ? [merge(same, first)] : same;
  });
}

/** Groups that list fewer records than they count, or concern a record as a whole, stay alone. */
function keyOf(group: IssueGroup): string {
  const { kind, field, advice, count, records } = group;
  const isWhole = field !== '' && count === records.length;
  return JSON.stringify(isWhole ? [kind, advice, ...records] : [kind, advice, field, group.problem]);
}

function merge(groups: readonly IssueGroup[], first: IssueGroup): IssueGroup {
  const isAlike = groups.every(({ problem }) => problem === first.problem);
  const fields = groups.map(({ field }) => field);
  return {
    ...first,
    field: isAlike ? fields.join(', ') : '',
    problem: isAlike ? first.problem : groups.map(({ field, problem }) => `${field} ${problem}`).join('; '),
    examples: first.records.slice(0, MAX_EXAMPLES).map((record) => describeRecord(record, groups)),
  };
}

/** The record with the value of each field; a value that all have is given once. */
function describeRecord(record: string, groups: readonly IssueGroup[]): string {
  const values = groups.flatMap(({ field, examples }) => {
    const example = examples.find((one) => one.startsWith(`${record}: `));
    return example === undefined ? [] : [{ field, value: example.slice(record.length + 2) }];
  });
  const [first] = values;
  if (!first) return record;
  const isSame = values.every(({ value }) => value === first.value);
  const shown = isSame ? first.value : values.map(({ field, value }) => `${field} ${value}`).join(', ');
  return `${record}: ${shown.length > MAX_EXAMPLE_LENGTH ? `${shown.slice(0, MAX_EXAMPLE_LENGTH)}…` : shown}`;
}
