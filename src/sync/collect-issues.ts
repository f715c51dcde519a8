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
  readonly problems: IssueGroup[];
  readonly warnings: IssueGroup[];
}

const MAX_WIRE_LENGTH = 200;

export function collectIssues(): IssueCollection {
  const problems = new Map<string, IssueGroup>();
  const warnings = new Map<string, IssueGroup>();
  return {
    problem: (issue) => add(problems, issue),
    warning: (issue) => add(warnings, issue),
    get problems() {
      return [...problems.values()];
    },
    get warnings() {
      return [...warnings.values()];
    },
  };
}

function add(groups: Map<string, IssueGroup>, issue: Issue): void {
  const { kind, id, language, problem } = issue;
  const field = issue.field.replace(/\[\d+\]/g, '[]');
  const key = [kind, field, likeness(problem)].join('\n');
  const group = groups.get(key);
  if (group) group.count += 1;
  else groups.set(key, { kind, field, problem, count: 1, sample: { id, language, wire: show(issue.wire) } });
}

/** Problems that differ only in the values they name are alike. */
function likeness(problem: string): string {
  return problem.replace(/"[^"]*"/g, '"…"').replace(/\d+/g, '0');
}

function show(wire: unknown): string | undefined {
  if (wire === undefined) return undefined;
  const text = JSON.stringify(wire) ?? String(wire);
  return text.length > MAX_WIRE_LENGTH ? `${text.slice(0, MAX_WIRE_LENGTH)}…` : text;
}
