interface Child {
  id: number;
  parent?: number | undefined;
}

/** Rows in an order in which each stands behind the one it hangs on; else as they were. */
export function parentsFirst<T extends Child>(rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = new Set<T>();
  for (const row of rows) {
    const above: T[] = [];
    // One that hangs on itself, over however many others, ends the climb too.
    for (let at: T | undefined = row; at && !ordered.has(at) && !above.includes(at); at = byId.get(at.parent ?? 0)) {
      above.unshift(at);
    }
    for (const found of above) ordered.add(found);
  }
  return [...ordered];
}
