import { Query, types as pgTypes, type FieldDef, type Pool, type QueryResult } from 'pg';
import { boundParsers, maxResultBytes } from './result-limit.ts';

/** Statements that Postgres plans. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i;

/** Who uses a statement so often will use it again. */
const OFTEN = 5;

/** Each takes some ten kilobytes of each connection of the database server. */
const MAX_NAMED = 150;

/** So many are counted before they are used often. */
const MAX_COUNTED = 2000;

/** Longer ones write many rows, and are hardly ever the same twice. */
const MAX_LENGTH = 32_768;

/**
 * Gives names to statements that are used often, on all connections of a pool that were not opened yet: the database
 * server reads and plans a named one once for each connection, and says once what its rows are made of.
 */
export function nameStatements(pool: Pool): void {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  const nameOf = (sql: string): string | undefined => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= MAX_NAMED) return known;
    if (sql.length > MAX_LENGTH || !PLANNED.test(sql)) return undefined;
    const used = (uses.get(sql) ?? 0) + 1;
    if (used < OFTEN) {
      if (uses.size >= MAX_COUNTED) uses.clear();
      uses.set(sql, used);
      return undefined;
    }
    uses.delete(sql);
    names.set(sql, `s${names.size}`);
    return names.get(sql);
  };
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const described = new Map<string, Described>();
    const named = (
      { text, rowMode, types }: Unnamed,
      name: string,
      values: unknown[],
      maxBytes: number,
    ): Promise<unknown> => {
      const known = described.get(name);
      if (rowMode === 'array' && known) {
        const parsers = known.parsers.map(boundParsers(maxBytes));
        return new Promise((resolve, reject) => {
          const sent = query(new DescribedQuery({ ...known, parsers, text, name, values }, resolve, reject));
          // What it goes out with may fail.
          if (sent instanceof Promise) sent.catch(reject);
        });
      }
      const answered = query(
        { text, rowMode, types: boundTypes(types, maxBytes), name },
        values,
      ) as Promise<QueryResult>;
      if (rowMode !== 'array' || !types) return answered;
      return answered.then((result) => {
        const parsers = result.fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'));
        described.set(name, { fields: result.fields, parsers });
        return result;
      });
    };
    const ask = (asked: unknown, ...rest: unknown[]): unknown => {
      const [values, callback] = rest;
      if (!isUnnamed(asked)) return query(asked, ...rest);
      const maxBytes = maxResultBytes();
      const bounded = { ...asked, types: boundTypes(asked.types, maxBytes) };
      // Without values it may be several.
      if (!Array.isArray(values) || values.length === 0) return query(bounded, ...rest);
      const name = nameOf(asked.text);
      if (name === undefined) return query(bounded, ...rest);
      const answered = named(asked, name, values, maxBytes);
      if (typeof callback !== 'function') return answered;
      // The pool asks so.
      answered.then(
        (result) => callback(undefined, result),
        (error: unknown) => callback(error),
      );
      return undefined;
    };
    // `query` has a type for each way to call it.
    client.query = ask as typeof client.query;
  });
}

/** What rows of a statement are made of. */
interface Described {
  fields: FieldDef[];
  parsers: readonly ((text: string) => unknown)[];
}

/** What a query of `pg` works with, which its types don't declare. */
interface QueryParts {
  name: string;
  callback: (error: Error | null, result?: unknown) => void;
  _accumulateRows: boolean;
  _result: { fields: FieldDef[]; _parsers: Described['parsers']; parseRow: unknown; _parseRowAsArray: unknown };
}

/** A named statement whose rows were described before. */
class DescribedQuery extends Query {
  constructor(
    { text, name, values, fields, parsers }: Described & { text: string; name: string; values: unknown[] },
    resolve: (result: unknown) => void,
    reject: (error: Error) => void,
  ) {
    super(text, values);
    const parts = this as unknown as QueryParts;
    parts.name = name;
    parts.callback = (error, result) => (error ? reject(error) : resolve(result));
    parts._accumulateRows = true;
    const { _result: result } = parts;
    result.fields = fields;
    result._parsers = parsers;
    result.parseRow = result._parseRowAsArray;
  }

  prepare(connection: object): void {
    const parent = Object.getPrototypeOf(DescribedQuery.prototype) as {
      prepare(this: Query, connection: object): void;
    };
    parent.prepare.call(this, withoutDescribe(connection));
  }
}

const silent = new WeakMap<object, object>();

/** The same connection, which doesn't ask for descriptions. */
function withoutDescribe(connection: object): object {
  const known =
    silent.get(connection) ?? (Object.create(connection, { describe: { value: () => undefined } }) as object);
  silent.set(connection, known);
  return known;
}

interface Unnamed {
  text: string;
  rowMode?: string;
  types?: Types | undefined;
}

interface Types {
  getTypeParser(type: number, format: 'text'): (text: string) => unknown;
}

function boundTypes(types: Types | undefined, maxBytes: number): Types | undefined {
  if (maxBytes === Infinity) return types;
  const bound = boundParsers(maxBytes);
  const known: Types = types ?? pgTypes;
  return { getTypeParser: (type, format) => bound(known.getTypeParser(type, format)) };
}

function isUnnamed(asked: unknown): asked is Unnamed {
  return (
    typeof asked === 'object' &&
    asked !== null &&
    'text' in asked &&
    typeof asked.text === 'string' &&
    (!('name' in asked) || !asked.name)
  );
}
