import { is, Param, Placeholder, sql } from 'drizzle-orm';
import { rowReader } from './read-rows.ts';
import type { Database } from './store.ts';

/** Of those that have many forms, for each store. */
const MAX_FORMS = 100;

/** What is asked for with more is hardly ever asked for twice. */
const MAX_KEY = 1000;

type Values = Readonly<Record<string, unknown>>;

/** What `prepare` gives. */
interface Prepared<Result> {
  execute(): Promise<Result>;
}

/**
 * A statement that is built once for each store and its transactions, and for each form that its arguments give it: to
 * put one together takes the query builder longer than it takes the origin to run it. What is another one at each call
 * is a placeholder.
 *
 * @param keyOf what tells forms from each other, where the arguments themselves aren't JSON
 * @returns runs it with the values of its placeholders, in the store or in a transaction
 */
export function prepareOnce<Form extends readonly unknown[], Result>(
  build: (db: Database, ...form: Form) => Prepared<Result>,
  keyOf: (...form: Form) => unknown = (...form) => form,
): (db: Database, values?: Values, ...form: Form) => Promise<Result> {
  type Run = ReturnType<typeof toRun<Result>>;
  const ofStores = new WeakMap<object, Map<string, Run>>();
  const find = (db: Database, form: Form): Run => {
    const key = JSON.stringify(keyOf(...form));
    const forms = ofStores.get(dialectOf(db)) ?? new Map<string, Run>();
    const built = forms.get(key) ?? toRun(build(db, ...form));
    if (key.length > MAX_KEY) return built;
    ofStores.set(dialectOf(db), forms);
    // The one that was used last is dropped last.
    forms.delete(key);
    forms.set(key, built);
    const [oldest] = forms.keys();
    if (forms.size > MAX_FORMS && oldest !== undefined) forms.delete(oldest);
    return built;
  };
  return (db, values = {}, ...form) => find(db, form)(db, values);
}

/** Which transactions share with their store. */
function dialectOf(db: Database): object {
  return db._.session['dialect'];
}

/** What both drivers need to run a prepared statement, which their types don't declare. */
interface PreparedParts {
  params: readonly unknown[];
  fields?: Parameters<typeof rowReader>[0];
  joinsNotNullableMap?: Parameters<typeof rowReader>[1];
}

/** Runs a statement over the connection that a store or a transaction has, whatever it was built for. */
function toRun<Result>(statement: Prepared<Result>): (db: Database, values: Values) => Promise<Result> {
  const { params, fields, joinsNotNullableMap } = statement as unknown as PreparedParts;
  const fill = params.map(toParameter);
  const readRow = fields && rowReader(fields, joinsNotNullableMap);
  if (readRow) Object.assign(statement, { customResultMapper: (rows: unknown[][]) => rows.map(readRow) });
  return (db, values) => {
    const { client } = db._.session as unknown as { client: unknown };
    const bound = Object.create(statement, {
      client: { value: client },
      params: { value: fill.map((valueOf) => valueOf(values)) },
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
