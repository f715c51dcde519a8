/** What `_fields` asks for: everything, or a list of dotted names. */
export class FieldSelection {
  readonly names: readonly string[] | undefined;

  constructor(names?: readonly string[]) {
    this.names = names?.length ? names : undefined;
  }

  /** Whether the field or something in it is wanted. */
  wants(name: string): boolean {
    return this.names === undefined || this.names.some((wanted) => wanted === name || wanted.startsWith(`${name}.`));
  }

  /** Whether the field is wanted as a whole. */
  wantsWhole(name: string): boolean {
    return this.names === undefined || this.names.includes(name);
  }

  /** Reads `id,title.rendered` or a list of names; blanks do not count. */
  static read(value: unknown): FieldSelection {
    const parts = Array.isArray(value) ? value : [value];
    const names = parts.flatMap((part) => (typeof part === 'string' ? part.split(/[\s,]+/) : []));
    return new FieldSelection(names.filter((name) => name !== ''));
  }
}
