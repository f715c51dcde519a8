import type { FieldSelection, FieldTree } from './field-selection.ts';

/** Keeps of a body, or of each row of a list, what was asked for. A row of which nothing is left is `[]`. */
export function selectFields(body: unknown, fields: FieldSelection): unknown {
  const { tree } = fields;
  if (tree === undefined) return body;
  if (Array.isArray(body)) return body.map((row) => selectFields(row, fields));
  if (!isMap(body)) return body;
  const kept = keep(body, tree);
  return Object.keys(kept).length === 0 ? [] : kept;
}

function keep(value: Record<string, unknown>, tree: FieldTree): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(value)) {
    const wanted = tree.get(name);
    if (wanted === undefined) continue;
    kept[name] = wanted.size === 0 ? child : keepWithin(child, wanted);
  }
  return kept;
}

/** A text or a number has nothing in it to choose from and stays; a map of which nothing is left prints as a list. */
function keepWithin(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return [];
  if (!isMap(value)) return value;
  const kept = keep(value, tree);
  return Object.keys(kept).length === 0 ? [] : kept;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
