import { setImmediate } from 'node:timers/promises';

/** Remembers what was loaded under a key, so that permission, handler and presenter load it once. */
export class Memo {
  readonly #loaded = new Map<string, Promise<unknown>>();
  readonly #gathering = new Map<string, { ids: Set<number>; loading: Promise<ReadonlyMap<number, unknown>> }>();

  once<T>(key: string, load: () => Promise<T>): Promise<T> {
    const known = this.#loaded.get(key);
    if (known) return known as Promise<T>;
    const loading = load();
    this.#loaded.set(key, loading);
    return loading;
  }

  /** Makes the next one load anew what a write has changed. */
  forget(key: string): void {
    this.#loaded.delete(key);
  }

  /** What was read anyway, for who asks for it later. */
  keep(key: string, value: unknown): void {
    this.#loaded.set(key, Promise.resolve(value));
  }

  /** What was kept or loaded under a key already. */
  known<T>(key: string): Promise<T> | undefined {
    return this.#loaded.get(key) as Promise<T> | undefined;
  }

  /**
   * Loads what several ask for in the same turn at once, such as embedded rows: by their ids, all in one statement.
   *
   * @param key Says all that decides what is loaded, but for the ids.
   * @returns what was found for these ids, and perhaps for others
   */
  gather<T>(
    key: string,
    ids: readonly number[],
    load: (ids: number[]) => Promise<ReadonlyMap<number, T>>,
  ): Promise<ReadonlyMap<number, T>> {
    const open = this.#gathering.get(key);
    if (open) {
      for (const id of ids) open.ids.add(id);
      return open.loading as Promise<ReadonlyMap<number, T>>;
    }
    const wanted = new Set(ids);
    const loading = setImmediate().then(() => {
      this.#gathering.delete(key);
      return load([...wanted]);
    });
    this.#gathering.set(key, { ids: wanted, loading });
    return loading;
  }
}
