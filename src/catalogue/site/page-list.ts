export interface PageOfList<T> {
  items: T[];
  /** From 1. */
  number: number;
  total: number;
}

/** Cuts a list into pages; an empty list has one, empty, page. */
export function pageList<T>(items: readonly T[], size: number): PageOfList<T>[] {
  const total = Math.max(1, Math.ceil(items.length / size));
  return Array.from({ length: total }, (_, i) => ({
    items: items.slice(i * size, (i + 1) * size),
    number: i + 1,
    total,
  }));
}
