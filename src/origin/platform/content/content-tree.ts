interface Node {
  id: number;
  parentId: number;
}

/**
 * Puts children right behind their parents, keeping the order among siblings. Rows whose parent is not among
 * them come last. The level is the true depth, also of those.
 *
 * @param parentOf the parent of a row that is not among them, 0 for none
 */
export function arrangeTree(nodes: readonly Node[], parentOf: (id: number) => number): { id: number; level: number }[] {
  const present = new Set(nodes.map(({ id }) => id));
  const children = Map.groupBy(nodes, ({ parentId }) => parentId);
  const placed = new Set<number>();
  const arranged: { id: number; level: number }[] = [];
  const place = ({ id }: Node, level: number) => {
    if (placed.has(id)) return;
    placed.add(id);
    arranged.push({ id, level });
    for (const child of children.get(id) ?? []) place(child, level + 1);
  };
  for (const root of children.get(0) ?? []) place(root, 0);
  for (const orphan of nodes) {
    if (!present.has(orphan.parentId)) place(orphan, depthBelow(orphan.parentId, parentOf));
  }
  for (const left of nodes) place(left, 0);
  return arranged;
}

/** How deep a child of this row lies. */
function depthBelow(id: number, parentOf: (id: number) => number): number {
  const seen = new Set<number>();
  for (let above = id; above !== 0 && !seen.has(above); above = parentOf(above)) seen.add(above);
  return seen.size;
}
