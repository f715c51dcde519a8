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
