const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_KEPT = 500;
/** Of a key and what is found under it, as JSON; longer ones are looked for each time. */
const MAX_LETTERS = 16 * 1024;

/** Remembers what was found under a key for a day; what was not found is looked for again. Within this process. */
export function keepForADay<T>(): (key: string, find: () => Promise<T | undefined>) => Promise<T | undefined> {
  const kept = new Map<string, { value: T; until: number }>();
  return async (key, find) => {
    const known = kept.get(key);
    if (known && known.until > Date.now()) return known.value;
    kept.delete(key);
    const value = await find();
    if (value === undefined || key.length + JSON.stringify(value).length > MAX_LETTERS) return value;
    const [oldest] = kept.keys();
    if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(key, { value, until: Date.now() + DAY_MS });
    return value;
  };
}
