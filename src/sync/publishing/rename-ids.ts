import { htmlIds, prefixedId } from '#contracts/html/index.ts';

/**
 * The ids of allowed HTML, and what they are called in a page: with the prefix, unless they have it, and each only
 * once. What holds an id twice is found by its first place, as in a browser.
 */
export function renameIds(html: string, prefix: string): Map<string, string> {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  // Names for the same text after `-2`, `-3`: counted on, so that a thousand equal ones take a thousand steps.
  const counts = new Map<string, number>();
  for (const id of htmlIds(html)) {
    const wanted = prefixedId(id, prefix);
    let name = wanted;
    for (let n = counts.get(wanted) ?? 2; taken.has(name); n += 1) {
      name = `${wanted}-${n}`;
      counts.set(wanted, n + 1);
    }
    taken.add(name);
    ids.set(id, name);
  }
  return ids;
}
