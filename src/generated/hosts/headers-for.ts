import type { HeaderRule } from './header-rules.ts';

/** The headers that the rules give to a path. */
export function headersFor(rules: readonly HeaderRule[], pathname: string): Record<string, string> {
  return Object.assign({}, ...rules.filter(({ path }) => matches(path, pathname)).map(({ headers }) => headers));
}

const known = new Map<string, RegExp>();

function matches(pattern: string, pathname: string): boolean {
  const expression = known.get(pattern) ?? new RegExp(patternExpression(pattern), 's');
  known.set(pattern, expression);
  return expression.test(pathname);
}

/** A pattern as a regular expression, which JavaScript, nginx and Caddy read alike. */
export function patternExpression(pattern: string): string {
  const literal = pattern.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
  return `^${literal.replace('*', '.*').replace(/\.\*$/, '').replaceAll(/:\w+/g, '[^/]+')}${pattern.endsWith('*') ? '' : '$'}`;
}

/** Whether it names segments, which not every host can. */
export function hasSegments(pattern: string): boolean {
  return /:\w/.test(pattern);
}

/** What stands before the `*` of a pattern, and behind it. */
export function splitPattern(pattern: string): [start: string, end: string] {
  const at = pattern.indexOf('*');
  return [pattern.slice(0, at), pattern.slice(at + 1)];
}
