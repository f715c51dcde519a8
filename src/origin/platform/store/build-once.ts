import { sql, type Placeholder } from 'drizzle-orm';
import type { Database } from './store.ts';

/** Of those that have many forms, for each store. */
const MAX_FORMS = 100;

/** What is asked for with more is hardly ever asked for twice. */
const MAX_KEY = 1000;

/**
 * A statement that is built once for each store and each form that its arguments give it: to put one together takes
 * the query builder longer than it takes the origin to run it. What is another one at each call is a placeholder.
 *
 * @param keyOf what tells forms from each other, where the arguments themselves aren't JSON
 */
export function buildOnce<Form extends readonly unknown[], Built>(
  build: (db: Database, ...form: Form) => Built,
  keyOf: (...form: Form) => unknown = (...form) => form,
): (db: Database, ...form: Form) => Built {
  const ofStores = new WeakMap<Database, Map<string, Built>>();
  return (db, ...form) => {
    const key = JSON.stringify(keyOf(...form));
    const forms = ofStores.get(db) ?? new Map<string, Built>();
    const built = forms.get(key) ?? build(db, ...form);
    if (key.length > MAX_KEY) return built;
    ofStores.set(db, forms);
    // The one that was used last is dropped last.
    forms.delete(key);
    forms.set(key, built);
    const [oldest] = forms.keys();
    if (forms.size > MAX_FORMS && oldest !== undefined) forms.delete(oldest);
    return built;
  };
}

/** Placeholders for so many ids: a list of known length is planned once, an array at each call. */
export function idPlaceholders(count: number): Placeholder<string, number>[] {
  return Array.from({ length: count }, (_, n) => sql.placeholder(`id${n}`));
}

/** The values of these placeholders. */
export function idValues(ids: readonly number[]): Record<string, number> {
  return Object.fromEntries(ids.map((id, n) => [`id${n}`, id]));
}
