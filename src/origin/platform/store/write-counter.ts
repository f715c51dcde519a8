const READS = /^[\s(]*(?:select|begin|commit|savepoint|release|rollback|set|show|listen|notify)\b/i;
const WITH = /^\s*with\b/i;
const WRITES = /\b(?:insert|update|delete|merge)\b/i;
const WRITTEN_TABLE = /^\s*(?:insert\s+into|update|delete\s+from)\s+"?(\w+)/i;

/** Counts the committed writes of a store. What was read before the latest one is not used again. */
export class WriteCounter {
  /** Tables that no cached response contains: browser sessions and messages. */
  readonly #ignoredTables = new Set(['session', 'outbox', 'migration_lock']);
  #count = 0;
  #isComplete: boolean;
  /** Values loaded since the latest write. */
  readonly #loaded = new Map<string, Promise<unknown>>();

  /** @param isComplete false while writes of other processes may be missing */
  constructor(isComplete = true) {
    this.#isComplete = isComplete;
  }

  /** Number of writes that this process knows of. Undefined while it doesn't know those of other processes. */
  get count(): number | undefined {
    return this.#isComplete ? this.#count : undefined;
  }

  /** Call it after a commit, before the change is acknowledged. */
  add(): void {
    this.#count += 1;
    this.#loaded.clear();
  }

  /** Loads a value once between two writes. */
  once<T>(key: string, load: () => Promise<T>): Promise<T> {
    if (!this.#isComplete) return load();
    const loaded = this.#loaded.get(key) as Promise<T> | undefined;
    if (loaded) return loaded;
    const loading = load();
    this.#loaded.set(key, loading);
    // A newer value may have replaced it.
    loading.catch(() => this.#loaded.get(key) === loading && this.#loaded.delete(key));
    return loading;
  }

  setComplete(isComplete: boolean): void {
    this.#isComplete = isComplete;
    this.add();
  }

  /** Excludes tables that no cached response contains, such as counters. */
  ignore(tables: readonly string[]): void {
    for (const table of tables) this.#ignoredTables.add(table);
  }

  /**
   * True if a statement has changed data of responses.
   *
   * @param rows number of rows that it has inserted, updated, deleted or returned
   */
  isWrite(sql: string, rows: number | null | undefined): boolean {
    if (READS.test(sql)) return false;
    if (WITH.test(sql)) return WRITES.test(sql);
    const [, table] = WRITTEN_TABLE.exec(sql) ?? [];
    return table === undefined || (rows !== 0 && !this.#ignoredTables.has(table.toLowerCase()));
  }
}
