interface Child {
  id: number;
  parent?: number | undefined;
}

/** Sorts rows so that parents come before children, otherwise keeping their order. */
export function sortParentsFirst<T extends Child>(rows: readonly T[]): T[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = new Set<T>();
  for (const row of rows) {
    const chain = new Set<T>();
    // A cycle of parents ends the climb too.
    for (let at: T | undefined = row; at && !ordered.has(at) && !chain.has(at); at = byId.get(at.parent ?? 0)) {
      chain.add(at);
    }
    for (const found of [...chain].toReversed()) ordered.add(found);
  }
  return [...ordered];
}
