import type { HeaderRule } from './header-rules.ts';

/** Returns the headers of a path. */
export function matchHeaders(rules: readonly HeaderRule[], pathname: string): Record<string, string> {
  return Object.assign({}, ...rules.filter(({ path }) => matches(path, pathname)).map(({ headers }) => headers));
}

const expressions = new Map<string, RegExp>();

function matches(pattern: string, pathname: string): boolean {
  const expression = expressions.get(pattern) ?? new RegExp(patternToRegExp(pattern), 's');
  expressions.set(pattern, expression);
  return expression.test(pathname);
}

/** Converts a pattern to a regular expression for JavaScript, nginx and Caddy. */
export function patternToRegExp(pattern: string): string {
  const literal = pattern.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  return `^${literal.replace('*', '.*').replace(/\.\*$/, '').replaceAll(/:\w+/g, '[^/]+')}${pattern.endsWith('*') ? '' : '$'}`;
}

/** True if a pattern names segments, which not every host supports. */
export function hasSegments(pattern: string): boolean {
  return /:\w/.test(pattern);
}

/** Splits a pattern at its `*`. */
export function splitPattern(pattern: string): [start: string, end: string] {
  const at = pattern.indexOf('*');
  return [pattern.slice(0, at), pattern.slice(at + 1)];
}
