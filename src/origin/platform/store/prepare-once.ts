import { is, Param, Placeholder, sql, Column, getTableName, SQL } from 'drizzle-orm';
import type { Database } from './store.ts';

/** Maximum number of forms per store. */
const MAX_FORMS = 100;

/** Longer keys rarely repeat. */
const MAX_KEY = 1000;

type Values = Readonly<Record<string, unknown>>;

/** Result of `prepare`. */
interface Prepared<Result> {
  execute(): Promise<Result>;
}

/**
 * Builds a statement once for each store (including its transactions) and each form.
 *
 * Building takes the query builder longer than running takes the origin. Arguments that change the SQL are part of
 * the form; values are placeholders.
 *
 * @param keyOf key of a form, if its arguments aren't JSON
 * @returns runs the statement with values, in a store or a transaction
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
    // Reinsert, so that the least recently used form is evicted first.
    forms.delete(key);
    forms.set(key, built);
    const [oldest] = forms.keys();
    if (forms.size > MAX_FORMS && oldest !== undefined) forms.delete(oldest);
    return built;
  };
  return (db, values = {}, ...form) => find(db, form)(db, values);
}

/** Identifies the store; transactions share it. */
function dialectOf(db: Database): object {
  return db._.session['dialect'];
}

/** Internals of both drivers for prepared statements, which their types don't declare. */
interface PreparedParts {
  params: readonly unknown[];
  fields?: Parameters<typeof rowReader>[0];
  joinsNotNullableMap?: Parameters<typeof rowReader>[1];
}

/** Runs a statement on the connection of a store or a transaction, regardless of the one it was built for. */
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

/** Creates placeholders for a number of IDs. A list of fixed length is planned once, an array on each call. */
export function idPlaceholders(count: number): Placeholder<string, number>[] {
  return Array.from({ length: count }, (_, n) => sql.placeholder(`id${n}`));
}

/** Values for these placeholders. */
export function idValues(ids: readonly number[]): Record<string, number> {
  return Object.fromEntries(ids.map((id, n) => [`id${n}`, id]));
}

/** Placeholders for the columns of an inserted row, by column name. */
export function rowPlaceholders<Name extends string>(names: readonly Name[]): Record<Name, Placeholder<Name>> {
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)])) as Record<Name, Placeholder<Name>>;
}

/** Columns of a statement in the query builder's representation. */
type Fields = readonly { path: readonly string[]; field: unknown }[];

interface Decoder {
  mapFromDriverValue(value: unknown): unknown;
}

/**
 * Creates a function that decodes rows like the query builder, which inspects each column again for each row.
 *
 * @param areThere true for joined tables that always have a row; undefined without joins
 * @returns undefined for nested objects, which are not supported
 */
function rowReader(
  fields: Fields,
  areThere?: Readonly<Record<string, boolean>>,
): ((row: readonly unknown[]) => unknown) | undefined {
  if (fields.some(({ path }) => path.length > 2)) return undefined;
  const columns = fields.map(({ path: [first = '', second], field }) => ({ first, second, decoder: decoderOf(field) }));
  const optionalTables = areThere ? missingTables(fields, areThere) : [];
  return (row) => {
    const result: Record<string, unknown> = {};
    for (let n = 0; n < columns.length; n += 1) {
      const column = columns[n];
      if (!column) continue;
      const { first, second, decoder } = column;
      const raw = row[n];
      const value = raw === null || raw === undefined ? null : decoder.mapFromDriverValue(raw);
      if (second === undefined) result[first] = value;
      else ((result[first] ??= {}) as Record<string, unknown>)[second] = value;
    }
    for (const { name, at } of optionalTables) if (row[at] === null) result[name] = null;
    return result;
  };
}

function decoderOf(field: unknown): Decoder {
  if (is(field, Column)) return field;
  const { decoder } = (is(field, SQL) ? field : (field as { sql: SQL }).sql) as unknown as { decoder: Decoder };
  return decoder;
}

/** Finds objects of a single table that may have no row, with the index of their first column, which is null then. */
function missingTables(fields: Fields, areThere: Readonly<Record<string, boolean>>): { name: string; at: number }[] {
  const columns = fields.flatMap(({ path: [name = '', inner], field }, at) =>
    inner !== undefined && is(field, Column) ? [{ name, at, table: getTableName(field.table) }] : [],
  );
  return [...Map.groupBy(columns, ({ name }) => name).values()].flatMap(([first, ...rest]) => {
    const isOne = first && rest.every(({ table }) => table === first.table) && !areThere[first.table];
    return isOne ? [first] : [];
  });
}
