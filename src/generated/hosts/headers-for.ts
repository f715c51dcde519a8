import type { HeaderRule } from './header-rules.ts';

/** The headers that the rules give to a path. */
export function headersFor(rules: readonly HeaderRule[], pathname: string): Record<string, string> {
  return Object.assign({}, ...rules.filter(({ path }) => matches(path, pathname)).map(({ headers }) => headers));
}

function matches(pattern: string, pathname: string): boolean {
  const [start, end] = splitPattern(pattern);
  return pathname.length >= start.length + end.length && pathname.startsWith(start) && pathname.endsWith(end);
}

/** What stands before the `*` of a pattern, and behind it. */
export function splitPattern(pattern: string): [start: string, end: string] {
  const at = pattern.indexOf('*');
  return [pattern.slice(0, at), pattern.slice(at + 1)];
}
