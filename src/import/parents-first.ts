interface Child {
  id: number;
  parent?: number | undefined;
}

/** Rows in an order in which each stands behind the one it hangs on; else as they were. */
export function parentsFirst<T extends Child>(rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = new Set<T>();
  for (const row of rows) {
    const climbed = new Set<T>();
    // One that hangs on itself, over however many others, ends the climb too.
    for (let at: T | undefined = row; at && !ordered.has(at) && !climbed.has(at); at = byId.get(at.parent ?? 0)) {
      climbed.add(at);
    }
    for (const found of [...climbed].toReversed()) ordered.add(found);
  }
  return [...ordered];
}
