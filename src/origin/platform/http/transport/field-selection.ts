/** Selected names of one level, each with the selected names within it. An empty tree selects everything. */
export interface FieldTree extends ReadonlyMap<string, FieldTree> {}

type Growing = Map<string, Growing>;

/** Selection of `_fields`: everything, or a list of dotted names. */
export class FieldSelection {
  /** Undefined if everything is selected. */
  readonly tree: FieldTree | undefined;
  readonly #names: ReadonlySet<string>;

  constructor(names: readonly string[] = []) {
    this.#names = new Set(names);
    this.tree = names.length > 0 ? growTree(this.#names) : undefined;
  }

  /** True if the field or part of it is selected. */
  wants(name: string): boolean {
    return this.tree === undefined || this.#names.has(name) || find(this.tree, name) !== undefined;
  }

  /** True if the complete field is selected. */
  wantsWhole(name: string): boolean {
    return this.tree === undefined || this.#names.has(name);
  }

  /** Parses `id,title.rendered` or a list of names. */
  static read(value: unknown): FieldSelection {
    const parts = Array.isArray(value) ? value : [value];
    const names = parts.flatMap((part) => (typeof part === 'string' ? part.split(/[\s,]+/) : []));
    return new FieldSelection(names.filter((name) => name !== ''));
  }
}

/** Names within a completely selected field are ignored. */
function growTree(names: Iterable<string>): FieldTree {
  const root: Growing = new Map();
  const whole = new Set<Growing>();
  for (const name of names) {
    let branch = root;
    for (const part of name.split('.')) {
      const next: Growing = branch.get(part) ?? new Map();
      branch.set(part, next);
      branch = next;
    }
    whole.add(branch);
  }
  for (const branch of whole) branch.clear();
  return root;
}

function find(tree: FieldTree, name: string): FieldTree | undefined {
  let branch: FieldTree | undefined = tree;
  for (const part of name.split('.')) branch = branch?.get(part);
  return branch;
}

/** Selects the fields of a body, or of each row of a list. An empty row becomes `[]`. */
export function selectFields(body: unknown, fields: FieldSelection): unknown {
  const { tree } = fields;
  if (tree === undefined) return body;
  if (Array.isArray(body)) return body.map((row) => selectFields(row, fields));
  if (!isMap(body)) return body;
  const selected = select(body, tree);
  return Object.keys(selected).length === 0 ? [] : selected;
}

function select(value: Record<string, unknown>, tree: FieldTree): Record<string, unknown> {
  const selected: Record<string, unknown> = {};
  for (const [name, child] of Object.entries(value)) {
    const subtree = tree.get(name);
    if (subtree === undefined) continue;
    selected[name] = subtree.size === 0 ? child : selectWithin(child, subtree);
  }
  return selected;
}

/** Values without members are returned as they are. An empty map becomes a list. */
function selectWithin(value: unknown, tree: FieldTree): unknown {
  if (Array.isArray(value)) return [];
  if (!isMap(value)) return value;
  const selected = select(value, tree);
  return Object.keys(selected).length === 0 ? [] : selected;
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
