/** Cuts a list into pages of no more than a weight; what weighs more by itself has a page of its own. */
export function cutByWeight<T>(items: readonly T[], weightOf: (item: T) => number, limit: number): T[][] {
  const pages: T[][] = [];
  let weight = limit;
  for (const item of items) {
    const own = weightOf(item);
    const last = pages.at(-1);
    if (last && weight + own <= limit) {
      last.push(item);
      weight += own;
    } else {
      pages.push([item]);
      weight = own;
    }
  }
  return pages;
}
