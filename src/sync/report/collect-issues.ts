import type { IssueGroup } from './sync-report.ts';

export interface Issue {
  kind: IssueGroup['kind'];
  id: string;
  language?: string | undefined;
  field: string;
  problem: string;
  /** The value that shows it. */
  wire?: unknown;
}

/** Gathers what is wrong, so that a run reports it once and together. */
export interface IssueCollection {
  /** Makes a record unusable. */
  problem(issue: Issue): void;
  /** Is survived. */
  warning(issue: Issue): void;
  /** Could not be read. */
  unreachable(issue: Issue): void;
  readonly problems: IssueGroup[];
  readonly warnings: IssueGroup[];
  readonly unreachables: IssueGroup[];
}

const MAX_WIRE_LENGTH = 200;
const MAX_RECORDS = 200;
const MAX_PROBLEM_LENGTH = 500;
const MAX_FIELD_LENGTH = 100;
/** Of one kind: whoever makes up a field for each record doesn't get a line for each. */
const MAX_GROUPS = 500;

export function collectIssues(): IssueCollection {
  const problems = new Map<string, IssueGroup>();
  const warnings = new Map<string, IssueGroup>();
  const unreachables = new Map<string, IssueGroup>();
  return {
    problem: (issue) => add(problems, issue),
    warning: (issue) => add(warnings, issue),
    unreachable: (issue) => add(unreachables, issue),
    get problems() {
      return [...problems.values()];
    },
    get warnings() {
      return [...warnings.values()];
    },
    get unreachables() {
      return [...unreachables.values()];
    },
  };
}

function add(groups: Map<string, IssueGroup>, issue: Issue): void {
  const { kind, id, language, wire } = issue;
  let field = cut(issue.field.replace(/\[\d+\]/g, '[]'), MAX_FIELD_LENGTH);
  let problem = cut(issue.problem, MAX_PROBLEM_LENGTH);
  if (groups.size >= MAX_GROUPS && !groups.has(keyOf({ kind, field, problem }))) {
    [field, problem] = ['', 'has more kinds of problems than are listed'];
  }
  const key = keyOf({ kind, field, problem });
  const group = groups.get(key);
  const record = [id, language].filter(Boolean).join(' ');
  if (!group) {
    const sample = { id, language, wire: show(wire) };
    groups.set(key, { kind, field, problem, count: 1, sample, records: [record] });
    return;
  }
  group.count += 1;
  if (group.records.length < MAX_RECORDS && group.records.at(-1) !== record) group.records.push(record);
}

function keyOf({ kind, field, problem }: Pick<Issue, 'kind' | 'field' | 'problem'>): string {
  return [kind, field, likeness(problem)].join('\n');
}

/** Problems that differ only in the values they name are alike. */
function likeness(problem: string): string {
  return problem.replace(/"[^"]*"/g, '"…"').replace(/\d+/g, '0');
}

function show(wire: unknown): string | undefined {
  if (wire === undefined) return undefined;
  const text = JSON.stringify(wire) ?? String(wire);
  return cut(text, MAX_WIRE_LENGTH);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
