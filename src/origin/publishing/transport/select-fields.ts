import type { FieldSelection } from './field-selection.ts';

/** Keeps of a body, or of each row of a list, what was asked for. A row of which nothing is left is `[]`. */
export function selectFields(body: unknown, fields: FieldSelection): unknown {
  if (fields.names === undefined) return body;
  if (Array.isArray(body)) return body.map((row) => selectFields(row, fields));
  if (!isMap(body)) return body;
  const tree = readTree(fields.names);
  const kept = keep(body, tree);
  return Object.keys(kept).length === 0 ? [] : kept;
}

/** Name -> what is wanted in it; an empty map is everything. */
interface Tree extends Map<string, Tree> {}

function readTree(names: readonly string[]): Tree {
  const root: Tree = new Map();
  const whole = new Set(names);
  for (const name of names) {
    const parts = name.split('.');
    const hasWholeParent = parts.some((_, i) => i > 0 && whole.has(parts.slice(0, i).join('.')));
    if (hasWholeParent) continue;
    let branch = root;
    for (const part of parts) {
      const next: Tree = branch.get(part) ?? new Map();
      branch.set(part, next);
      branch = next;
    }
  }
  return root;
}

function keep(value: Record<string, unknown>, tree: Tree): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(value)) {
    const wanted = tree.get(name);
    if (wanted === undefined) continue;
    kept[name] = wanted.size === 0 ? child : keepWithin(child, wanted);
  }
  return kept;
}

/** A text or a number has nothing in it to choose from and stays; a map of which nothing is left prints as a list. */
function keepWithin(value: unknown, tree: Tree): unknown {
  if (Array.isArray(value)) return [];
  if (!isMap(value)) return value;
  const kept = keep(value, tree);
  return Object.keys(kept).length === 0 ? [] : kept;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
