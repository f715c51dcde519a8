import { maskUserInfo } from '#contracts/index.ts';
import type { AffectedRecords, IssueGroup } from './sync-report.ts';

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

/** Collects issues, so that a run reports each once and all together. */
export interface IssueCollection {
  /** Adds an issue that makes a record unusable. */
  problem(issue: Issue): void;
  /** Adds an issue of a record that is still used. */
  warning(issue: Issue): void;
  /** Adds a record that could not be read. */
  unreachable(issue: Issue): void;
  readonly problems: IssueGroup[];
  readonly warnings: IssueGroup[];
  readonly unreachables: IssueGroup[];
  /** Number of records in `problems`. */
  readonly invalidRecords: AffectedRecords;
  /** Number of records in `unreachables`. */
  readonly unreachableRecords: AffectedRecords;
}

const MAX_WIRE_LENGTH = 200;
const MAX_RECORDS = 200;
const MAX_EXAMPLES = 3;
const MAX_PROBLEM_LENGTH = 500;
const MAX_FIELD_LENGTH = 100;
/** Per kind. Limits a report if an interface has a new field name in each record. */
const MAX_GROUPS = 500;

export function collectIssues(): IssueCollection {
  const problems = createCollection();
  const warnings = createCollection();
  const unreachables = createCollection();
  return {
    problem: problems.add,
    warning: warnings.add,
    unreachable: unreachables.add,
    get problems() {
      return problems.list();
    },
    get warnings() {
      return warnings.list();
    },
    get unreachables() {
      return unreachables.list();
    },
    get invalidRecords() {
      return problems.affected();
    },
    get unreachableRecords() {
      return unreachables.affected();
    },
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

/** Masks values, so that problems that differ only in them are grouped. */
function maskValues(problem: string): string {
  return problem.replace(/"[^"]*"/g, '"…"').replace(/\d+(?:[.:]\d+)*/g, '…');
}

/** Formats a value as shortened JSON, with user info in addresses masked. */
export function formatValue(wire: unknown): string | undefined {
  if (wire === undefined) return undefined;
  const text = maskUserInfo(JSON.stringify(wire) ?? String(wire));
  return cut(text, MAX_WIRE_LENGTH);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
