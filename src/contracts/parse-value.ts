import type { z } from 'zod';
import { maskUserInfo } from './user-info.ts';

/** A problem of one value. */
export interface Problem {
  /** Dotted path in the value, such as `attributes[2].norm`; empty for the value itself. */
  field: string;
  problem: string;
  /** Advice in the imperative. */
  advice?: string;
}

/** A warning stored with its record. */
export interface StoredWarning extends Problem {
  /** The original value as JSON, shortened. */
  shown?: string;
  /** For invalid fields: date of the replacement value, ISO. Empty without a replacement. */
  lastGoodAt?: string;
}

export type ParseResult<T> = { ok: true; value: T } | { ok: false; problems: Problem[] };

/**
 * Parses a value and describes every problem in plain language. A schema's own `error` text takes precedence; it
 * continues the sentence "<field> …", as in "gtin is not a GTIN-13".
 */
export function parseValue<T extends z.ZodType>(schema: T, value: unknown): ParseResult<z.output<T>> {
  const result = schema.safeParse(value, { reportInput: true, error: describeIssue });
  return result.success
    ? { ok: true, value: result.data }
    : { ok: false, problems: describeIssues(result.error.issues) };
}

/** Formats problems as indented lines. */
export function formatProblems(problems: readonly Problem[]): string {
  return problems.map(({ field, problem }) => `  ${field || '(the value)'} ${problem}`).join('\n');
}

function describeIssues(issues: readonly z.core.$ZodIssue[]): Problem[] {
  return issues.flatMap((issue) => {
    const field = formatPath(issue.path);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: field ? `${field}.${key}` : key, problem: 'is not a known option' }));
    }
    if (issue.code === 'invalid_key')
      return issue.issues.map(({ message }) => ({
        field,
        problem: message === UNDESCRIBED ? 'is not a valid name' : message,
      }));
    // A union without its own text reports the problems of the closest alternative.
    if (issue.code === 'invalid_union' && issue.message === UNDESCRIBED) {
      const [nearest = []] = issue.errors.toSorted((a, b) => a.length - b.length);
      return describeIssues(nearest.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
    }
    return [{ field, problem: issue.message === UNDESCRIBED ? 'does not have a known form' : issue.message }];
  });
}

const UNDESCRIBED = 'has none of the allowed forms';

function describeIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is missing (${issue.expected} expected)`
        : `is not ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
    case 'invalid_value':
      return `must be ${listChoices(issue.values.map(String))}`;
    case 'too_small':
      return `must be at least ${issue.minimum}${unitOf(issue.origin)}`;
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_format':
      return issue.format === 'regex' ? `does not match ${issue.pattern}` : `is not a valid ${issue.format}`;
    case 'invalid_union':
      return issue.note === 'No matching discriminator' ? 'has an unknown value' : UNDESCRIBED;
    default:
      return issue.message ?? 'is not valid';
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

/** Similar problems of several records, grouped for display. */
export interface IssueLines {
  /** Affected records, in the plural if there are several: `3 product records`, `product 9524010000016 de-de`. */
  who: string;
  /** The problem, without values that differ between records. */
  what: string;
  /** The first records, each with its value. */
  examples: readonly string[];
  /** Number of further records. */
  more: number;
  /** Advice in the imperative. */
  advice: string | undefined;
}

/**
 * Formats a list of problems. All commands use this format:
 *
 *     3 product records: price is neither a number nor a text with a decimal point
 *       9524010000016 de-de: "n/a"
 *       … and 2 more
 *       -> Have it corrected at the product interface.
 */
export function formatIssueLines(issues: readonly IssueLines[]): string {
  return issues
    .flatMap(({ who, what, examples, more, advice }) => [
      `  ${who}: ${what}`,
      ...examples.map((example) => `    ${example}`),
      ...(more > 0 ? [`    … and ${more} more`] : []),
      ...(advice === undefined ? [] : [`    -> ${advice}`]),
    ])
    .join('\n');
}

const MAX_WIRE_LENGTH = 200;

/** Formats a value as shortened JSON, with user info in addresses masked. */
export function formatValue(wire: unknown): string | undefined {
  if (wire === undefined) return undefined;
  const text = maskUserInfo(JSON.stringify(wire) ?? String(wire));
  return text.length > MAX_WIRE_LENGTH ? `${text.slice(0, MAX_WIRE_LENGTH)}…` : text;
}

/** Returns a member of an object or list; undefined for other values. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** True for an object that isn't a list. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Formats a count with its noun: `1 post`, `2 posts`, `3 categories`. */
export function countNoun(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
