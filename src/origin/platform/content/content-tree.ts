interface Node {
  id: number;
  parentId: number;
}

/**
 * Sorts children after their parents and preserves the order of siblings. Rows with a parent outside the list come
 * last, with their true depth.
 *
 * @param parentOf returns the parent of a row outside the list, 0 for none
 */
export function arrangeTree(nodes: readonly Node[], parentOf: (id: number) => number): { id: number; level: number }[] {
  const present = new Set(nodes.map(({ id }) => id));
  const children = Map.groupBy(nodes, ({ parentId }) => parentId);
  const added = new Set<number>();
  const arranged: { id: number; level: number }[] = [];
  const add = ({ id }: Node, level: number) => {
    if (added.has(id)) return;
    added.add(id);
    arranged.push({ id, level });
    for (const child of children.get(id) ?? []) add(child, level + 1);
  };
  for (const root of children.get(0) ?? []) add(root, 0);
  for (const orphan of nodes) {
    if (!present.has(orphan.parentId)) add(orphan, depthBelow(orphan.parentId, parentOf));
  }
  for (const remaining of nodes) add(remaining, 0);
  return arranged;
}

/** Returns the depth of a child of this row. */
function depthBelow(id: number, parentOf: (id: number) => number): number {
  const seen = new Set<number>();
  for (let ancestor = id; ancestor !== 0 && !seen.has(ancestor); ancestor = parentOf(ancestor)) seen.add(ancestor);
  return seen.size;
}
