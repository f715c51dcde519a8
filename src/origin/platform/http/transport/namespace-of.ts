import { NAMESPACES, type Namespace } from '#contracts/index.ts';

/** The namespace a declared path lies in: the longest that fits, or none. */
export function namespaceOf(path: string): Namespace | '' {
  const fitting = NAMESPACES.filter((name) => path === name || path.startsWith(`${name}/`));
  return fitting.toSorted((a, b) => b.length - a.length)[0] ?? '';
}
