/** Remembers what was loaded under a key, so that permission, handler and presenter load it once. */
export class Memo {
  readonly #loaded = new Map<string, Promise<unknown>>();

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
}
