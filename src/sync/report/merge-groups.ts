import type { IssueGroup } from './sync-report.ts';

const MAX_EXAMPLES = 3;
const MAX_EXAMPLE_LENGTH = 300;

/** Merges groups of the same records, so that a record with eight invalid fields is one entry in a report. */
export function mergeGroups(groups: readonly IssueGroup[]): IssueGroup[] {
  return [...Map.groupBy(groups, keyOf).values()].flatMap((same) => {
    const [first, second] = same;
    return first && second ? [merge(same, first)] : same;
  });
}

/** Returns the merge key. Groups with truncated record lists, or about records as a whole, are not merged. */
function keyOf(group: IssueGroup): string {
  const { kind, field, advice, count, records } = group;
  const isMergeable = field !== '' && count === records.length;
  return JSON.stringify(isMergeable ? [kind, advice, ...records] : [kind, advice, field, group.problem]);
}

function merge(groups: readonly IssueGroup[], first: IssueGroup): IssueGroup {
  const hasSameProblem = groups.every(({ problem }) => problem === first.problem);
  const fields = groups.map(({ field }) => field);
  return {
    ...first,
    field: hasSameProblem ? fields.join(', ') : '',
    problem: hasSameProblem ? first.problem : groups.map(({ field, problem }) => `${field} ${problem}`).join('; '),
    examples: first.records.slice(0, MAX_EXAMPLES).map((record) => describeRecord(record, groups)),
  };
}

/** Describes a record with the value of each field. A value shared by all fields is shown once. */
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
