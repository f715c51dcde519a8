/** Names at one level, each with those wanted in it; without any, all of it is. */
export interface FieldTree extends ReadonlyMap<string, FieldTree> {}

type Growing = Map<string, Growing>;

/** What `_fields` asks for: everything, or a list of dotted names. */
export class FieldSelection {
  /** Nothing where everything is wanted. */
  readonly tree: FieldTree | undefined;
  readonly #names: ReadonlySet<string>;

  constructor(names: readonly string[] = []) {
    this.#names = new Set(names);
    this.tree = names.length > 0 ? growTree(this.#names) : undefined;
  }

  /** Whether the field or something in it is wanted. */
  wants(name: string): boolean {
    return this.tree === undefined || this.#names.has(name) || find(this.tree, name) !== undefined;
  }

  /** Whether the field is wanted as a whole. */
  wantsWhole(name: string): boolean {
    return this.tree === undefined || this.#names.has(name);
  }

  /** Reads `id,title.rendered` or a list of names; blanks do not count. */
  static read(value: unknown): FieldSelection {
    const parts = Array.isArray(value) ? value : [value];
    const names = parts.flatMap((part) => (typeof part === 'string' ? part.split(/[\s,]+/) : []));
    return new FieldSelection(names.filter((name) => name !== ''));
  }
}

/** Of a field that is wanted whole, nothing in it needs to be. */
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
