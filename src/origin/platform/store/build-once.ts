import { is, Param, Placeholder, sql } from 'drizzle-orm';
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
  keyOf?: (...form: Form) => unknown,
): (db: Database, ...form: Form) => Built {
  return keepForms(build, (db) => db, keyOf);
}

type Values = Readonly<Record<string, unknown>>;

/** What `prepare` gives. */
interface Prepared<Result> {
  execute(): Promise<Result>;
}

/**
 * The same for a statement that runs in transactions too: it is built once for a store and all its transactions.
 *
 * @returns runs it with the values of its placeholders
 */
export function prepareOnce<Form extends readonly unknown[], Result>(
  build: (db: Database, ...form: Form) => Prepared<Result>,
  keyOf?: (...form: Form) => unknown,
): (db: Database, values?: Values, ...form: Form) => Promise<Result> {
  const built = keepForms((db, ...form: Form) => toRun(build(db, ...form)), dialectOf, keyOf);
  return (db, values = {}, ...form) => built(db, ...form)(db, values);
}

/** Which transactions share with their store. */
function dialectOf(db: Database): object {
  return db._.session['dialect'];
}

/** What both drivers need to run a prepared statement, which their types don't declare. */
interface PreparedParts {
  params: readonly unknown[];
}

/** Runs a statement over the connection that a store or a transaction has, whatever it was built for. */
function toRun<Result>(statement: Prepared<Result>): (db: Database, values: Values) => Promise<Result> {
  const fill = (statement as unknown as PreparedParts).params.map(toParameter);
  return (db, values) => {
    const { client } = db._.session as unknown as { client: unknown };
    const params = fill.map((valueOf) => valueOf(values));
    const bound = Object.create(statement, {
      client: { value: client },
      params: { value: params },
    }) as typeof statement;
    return bound.execute();
  };
}

function toParameter(param: unknown): (values: Values) => unknown {
  if (is(param, Placeholder)) return (values) => values[param.name];
  if (!is(param, Param) || !is(param.value, Placeholder)) return () => param;
  const { encoder, value: placeholder } = param;
  return (values) => {
    const value = values[placeholder.name];
    return value === undefined || value === null ? null : encoder.mapToDriverValue(value);
  };
}

function keepForms<Form extends readonly unknown[], Built>(
  build: (db: Database, ...form: Form) => Built,
  ownerOf: (db: Database) => object,
  keyOf: (...form: Form) => unknown = (...form) => form,
): (db: Database, ...form: Form) => Built {
  const ofOwners = new WeakMap<object, Map<string, Built>>();
  return (db, ...form) => {
    const key = JSON.stringify(keyOf(...form));
    const forms = ofOwners.get(ownerOf(db)) ?? new Map<string, Built>();
    const built = forms.get(key) ?? build(db, ...form);
    if (key.length > MAX_KEY) return built;
    ofOwners.set(ownerOf(db), forms);
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

/** Placeholders for the values of a row that is inserted, each under the name of its column. */
export function rowPlaceholders<Name extends string>(names: readonly Name[]): Record<Name, Placeholder<Name>> {
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as Record<Name, Placeholder<Name>>;
}
