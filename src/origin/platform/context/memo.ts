import { setImmediate } from 'node:timers/promises';

/** Caches loaded values per request, so that authorization, handler and presenter load them once. */
export class Memo {
  readonly #loaded = new Map<string, Promise<unknown>>();
  readonly #batches = new Map<string, { ids: Set<number>; rows: Promise<ReadonlyMap<number, unknown>> }>();

  once<T>(key: string, load: () => Promise<T>): Promise<T> {
    const cached = this.#loaded.get(key);
    if (cached) return cached as Promise<T>;
    const loading = load();
    this.#loaded.set(key, loading);
    return loading;
  }

  /** Evicts a value that a write has changed. */
  forget(key: string): void {
    this.#loaded.delete(key);
  }

  /** Stores a value that was loaded elsewhere. */
  keep(key: string, value: unknown): void {
    this.#loaded.set(key, Promise.resolve(value));
  }

  /** Returns a stored value, or undefined. */
  known<T>(key: string): Promise<T> | undefined {
    return this.#loaded.get(key) as Promise<T> | undefined;
  }

  /**
   * Loads rows by ID. Calls within the same turn of the event loop share one statement.
   *
   * @param key identifies everything that determines the result, except the IDs
   * @returns the rows found, possibly with those of other calls
   */
  gather<T>(
    key: string,
    ids: readonly number[],
    load: (ids: number[]) => Promise<ReadonlyMap<number, T>>,
  ): Promise<ReadonlyMap<number, T>> {
    const batch = this.#batches.get(key);
    if (batch) {
      for (const id of ids) batch.ids.add(id);
      return batch.rows as Promise<ReadonlyMap<number, T>>;
    }
    const pendingIds = new Set(ids);
    const loading = setImmediate().then(() => {
      this.#batches.delete(key);
      return load([...pendingIds]);
    });
    this.#batches.set(key, { ids: pendingIds, rows: loading });
    return loading;
  }
}
