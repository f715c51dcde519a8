import type { z } from 'zod';
import { formatValue } from '#contracts/index.ts';
import { attribute, material, product } from '#contracts/product/index.ts';
import { UNKNOWN_FIELD } from '#contracts/product/parse-product.ts';
import type { AffectedRecords, IssueGroup, SyncReport } from './sync-report.ts';

export interface Issue {
  kind: IssueGroup['kind'];
  id: string;
  language?: string | undefined;
  field: string;
  problem: string;
  /** Advice as an imperative. */
  advice?: string | undefined;
  /** The offending value. */
  wire?: unknown;
  /** The offending value as text, if already formatted. */
  shown?: string | undefined;
  /** True if an earlier version of the record stays in use. */
  hasLastGood?: boolean | undefined;
}

const MAX_RECORDS = 200;
const MAX_EXAMPLES = 3;
const MAX_PROBLEM_LENGTH = 500;
const MAX_FIELD_LENGTH = 100;
/** Per kind. Limits a report if an interface has a new field name in each record. */
const MAX_GROUPS = 500;

export type IssueCollection = ReturnType<typeof collectIssues>;

/** Collects issues, so that a run reports each once and all together. */
export function collectIssues() {
  const problems = createCollection();
  const warnings = createCollection();
  const unreachables = createCollection();
  return {
    /** Adds an issue that makes a record unusable. */
    problem: problems.add,
    /** Adds an issue of a record that is still used. */
    warning: warnings.add,
    /** Adds a record that could not be read. */
    unreachable: unreachables.add,
    /** Returns all issues for a report. */
    list: () => ({
      problems: problems.list(),
      warnings: warnings.list(),
      unreachable: unreachables.list(),
      invalidRecords: problems.affected(),
      unreachableRecords: unreachables.affected(),
    }),
  };
}

function createCollection() {
  const groups = new Map<string, IssueGroup>();
  /** Record -> true if an earlier version of it stays. */
  const affected = new Map<string, boolean>();
  return {
    add: (issue: Issue) => {
      affected.set([issue.kind, issue.id, issue.language].join(' '), issue.hasLastGood ?? false);
      add(groups, issue);
    },
    // Sort examples, because their order of arrival is meaningless.
    list: () =>
      [...groups.values()].map((group) => {
        return { ...group, examples: group.examples.toSorted(), records: group.records.toSorted() };
      }),
    affected: (): AffectedRecords => ({
      count: affected.size,
      withLastGood: [...affected.values()].filter(Boolean).length,
    }),
  };
}

function add(groups: Map<string, IssueGroup>, issue: Issue): void {
  const { kind, id, language, advice } = issue;
  let field = cut(issue.field.replace(/\[\d+\]/g, '[]'), MAX_FIELD_LENGTH);
  let problem = cut(issue.problem, MAX_PROBLEM_LENGTH);
  if (groups.size >= MAX_GROUPS && !groups.has(keyOf({ kind, field, problem }))) {
    [field, problem] = ['', 'has more kinds of problems than are listed'];
  }
  const key = keyOf({ kind, field, problem });
  const group = groups.get(key);
  const record = [id, language].filter(Boolean).join(' ');
  const wire = issue.shown ?? formatValue(issue.wire);
  const example = wire === undefined ? record : `${record}: ${wire}`;
  if (!group) {
    const sample = { id, language, wire };
    groups.set(key, { kind, field, problem, advice, count: 1, sample, examples: [example], records: [record] });
    return;
  }
  group.count += 1;
  // Mask the parts in which the problems differ.
  if (group.problem !== problem) group.problem = maskValues(problem);
  if (group.examples.length < MAX_EXAMPLES && !group.examples.includes(example)) group.examples.push(example);
  if (group.records.length < MAX_RECORDS && group.records.at(-1) !== record) group.records.push(record);
}

function keyOf({ kind, field, problem }: Pick<Issue, 'kind' | 'field' | 'problem'>): string {
  return [kind, field, maskValues(problem)].join('\n');
}

function maskValues(problem: string): string {
  return problem.replace(/"[^"]*"/g, '"…"').replace(/\d+(?:[.:]\d+)*/g, '…');
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

const MAX_EXAMPLE_LENGTH = 300;

/** Merges groups of the same records, so that a record with eight invalid fields is one entry in a report. */
export function mergeGroups(groups: readonly IssueGroup[]): IssueGroup[] {
  return [...Map.groupBy(groups, mergeKey).values()].flatMap((same) => {
    const [first, second] = same;
    return first && second ? [mergeFields(same, first)] : same;
  });
}

/** Returns the merge key. Groups with truncated record lists, or about records as a whole, are not merged. */
function mergeKey(group: IssueGroup): string {
  const { kind, field, advice, count, records } = group;
  const isMergeable = field !== '' && count === records.length;
  return JSON.stringify(isMergeable ? [kind, advice, ...records] : [kind, advice, field, group.problem]);
}

function mergeFields(groups: readonly IssueGroup[], first: IssueGroup): IssueGroup {
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
  return `${record}: ${cut(shown, MAX_EXAMPLE_LENGTH)}`;
}

/** Deviation of the product interface from the contract. */
export type DriftClass = 'new-field' | 'new-value' | 'changed-type';

export interface Drift extends IssueGroup {
  class: DriftClass;
}

/**
 * Finds issues that indicate a changed interface instead of a bad record: unknown fields, values outside a closed list,
 * or other JSON types.
 */
export function findDrift({ problems, warnings }: Pick<SyncReport, 'problems' | 'warnings'>): Drift[] {
  return [
    ...warnings.map((group) => ({ ...group, class: classifyWarning(group) })),
    ...problems.map((group) => ({ ...group, class: classifyProblem(group) })),
  ].flatMap((group) => (group.class === undefined ? [] : [{ ...group, class: group.class }]));
}

export function excludeDrift(warnings: readonly IssueGroup[]): IssueGroup[] {
  return warnings.filter((group) => classifyWarning(group) === undefined);
}

function classifyWarning({ kind, field, problem }: IssueGroup): DriftClass | undefined {
  if (kind !== 'product') return undefined;
  if (problem === UNKNOWN_FIELD) return 'new-field';
  return field === 'availability' ? 'new-value' : undefined;
}

function classifyProblem({ kind, field, sample }: IssueGroup): DriftClass | undefined {
  const schema = kind === 'product' ? schemaOf(field) : undefined;
  if (!schema || !sample.wire) return undefined;
  const examples = EXAMPLES[sample.wire[0] ?? ''] ?? NUMBERS;
  return examples.some((example) => schema.safeParse(example).success) ? undefined : 'changed-type';
}

/**
 * Sample values of a type, by the first character of its JSON. Every schema for the type accepts one of them. Other
 * characters begin a number.
 */
const EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  '"': ['', 'x', 'de-de', '9524010000016', 'available'],
  '[': [[]],
  '{': [{ name: 'x', value: 'x' }],
  n: [null],
  t: [true],
  f: [true],
};
const NUMBERS = [1];

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  ...product.shape,
  'attributes[]': attribute,
  'materials[]': material,
  ...Object.fromEntries(
    Object.entries({ attributes: attribute.shape, materials: material.shape }).flatMap(([list, shape]) =>
      Object.entries(shape).map(([name, schema]) => [`${list}[].${name}`, schema]),
    ),
  ),
};

function schemaOf(field: string): z.ZodType | undefined {
  return Object.hasOwn(SCHEMAS, field) ? SCHEMAS[field] : undefined;
}
