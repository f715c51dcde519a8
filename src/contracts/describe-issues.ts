import type { z } from 'zod';

/** One thing that is wrong with one value: where it is, what was expected, what was found. */
export interface Problem {
  /** Dotted path inside the value, such as `attributes[2].norm`; empty for the value itself. */
  field: string;
  problem: string;
}

/** Turns the issues of a failed parse into sentences a person can act on. The only place that words them. */
export function describeIssues(issues: readonly z.core.$ZodIssue[]): Problem[] {
  return issues.flatMap((issue) => {
    const field = formatPath(issue.path);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: field ? `${field}.${key}` : key, problem: 'is not a known option' }));
    }
    if (issue.code === 'invalid_union') {
      const nearest = issue.errors.toSorted((a, b) => a.length - b.length)[0] ?? [];
      if (nearest.length > 0)
        return describeIssues(nearest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
    }
    return [{ field, problem: describe(issue) }];
  });
}

/** The same as one indented block of text, one line a problem. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems.map(({ field, problem }) => `  ${field || '(the value)'} ${problem}`).join('\n');
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? `is missing (${issue.expected} expected)` : `is not a ${issue.expected}`;
    case 'invalid_value':
      return `must be ${listChoices(issue.values.map(String))}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_format':
      return issue.format === 'regex' ? `does not match ${issue.pattern}` : `is not a valid ${issue.format}`;
    default:
      return issue.message;
  }
}

function unitOf(origin: string): string {
  return origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : '';
}

function listChoices(choices: string[]): string {
  return choices.length === 1 ? `"${choices[0]}"` : `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`;
}

function formatPath(path: readonly PropertyKey[]): string {
  return path.map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i ? '.' : ''}${String(part)}`)).join('');
}
